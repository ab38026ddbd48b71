/* libFuzzer gives bytes; our readers take paths: puts the bytes into a file in memory. */
#ifndef INPUT_H
#define INPUT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct input {
	int fd;
	char path[64];
} input;

static inline input input_open(const uint8_t *data, size_t size)
{
	input in = {.fd = memfd_create("fuzz", 0)};
	if (in.fd < 0 || write(in.fd, data, size) != (ssize_t)size)
		abort();
	snprintf(in.path, sizeof in.path, "/proc/self/fd/%d", in.fd);
	return in;
}

static inline void input_close(input *in)
{
	close(in->fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
