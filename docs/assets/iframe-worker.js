/* A page opened as a file may not start a Worker, which the search needs. There, an iframe runs the worker's script. */
if (location.protocol === "file:")
	window.Worker = class extends EventTarget {
		constructor(url) {
			super();
			const frame = document.createElement("iframe");
			const waiting = [];
			let send = (data) => waiting.push(data);
			frame.hidden = true;
			frame.src = "about:blank";
			document.body.appendChild(frame);
			const inner = frame.contentWindow;
			const load = (address) =>
				new Promise((done, failed) => {
					const script = inner.document.createElement("script");
					script.onload = done;
					script.onerror = failed;
					script.src = address;
					inner.document.body.appendChild(script);
				});
			inner.importScripts = (...addresses) => addresses.reduce((before, a) => before.then(() => load(a)), Promise.resolve());
			inner.postMessage = (data) => {
				const event = new MessageEvent("message", { data });
				this.dispatchEvent(event);
				if (this.onmessage) this.onmessage(event);
			};
			load(new URL(url, location.href).href).then(() => {
				send = (data) => inner.dispatchEvent(new inner.MessageEvent("message", { data }));
				waiting.forEach(send);
			});
			this.postMessage = (data) => send(data);
			this.terminate = () => frame.remove();
		}
	};
