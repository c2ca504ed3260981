// Installed in the page's own world of a browser that topodb does not own: a shared worker could not
// be watched there, so the page has none.
(() => { delete globalThis.SharedWorker; })();
