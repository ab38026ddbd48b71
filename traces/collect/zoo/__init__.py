"""What calls of real models look like together: models from configurations, with random weights, as files and as calls."""
