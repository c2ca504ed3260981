// Installed in the page's own world. A shared worker cannot be watched from its start: in a browser of
// others nobody is told of it, and in our own it may run before it is armed (measured with Chromium 156:
// most of those from a blob). So pages have none, and those that ask first do without.
(() => { delete globalThis.SharedWorker; })();
