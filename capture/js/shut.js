// Brought into every document, window and worker of a page that is guarded, before its own script.
// Some ways out of the browser are not asked about by any command of the protocol; they are shut
// here. Whatever the page changes later it finds no way back: nothing it can reach holds the
// browser's own constructors, and nothing it can replace is used.
(() => {
  const { construct } = Reflect;
  const encode = encodeURIComponent;

  // `arguments_` makes harmless arguments of those that the page gave.
  const replace = (names, arguments_) => {
    const own = globalThis[names[0]];
    if (!own) return;
    const shut = function (...given) { return construct(own, arguments_(given), new.target || shut); };
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(own))) {
      if (name === 'prototype') Object.defineProperty(shut, name, { value: own.prototype });
      else Object.defineProperty(shut, name, property);
    }
    Object.defineProperty(own.prototype, 'constructor', { value: shut, writable: true, configurable: true });
    for (const name of names) {
      Object.defineProperty(globalThis, name, { value: shut, writable: true, configurable: true });
    }
  };

  // A worker has no peers, and gets its transport only after this has run: unless the place is taken
  // for good.
  if (!globalThis.document) {
    Object.defineProperty(globalThis, 'WebTransport', { value: undefined });
    return;
  }

  // What it takes is sent when the page is gone, by the browser itself. Pages do without it.
  delete globalThis.fetchLater;

  // To a port that browsers refuse: fails as it does without a network. The query says what was
  // wanted, for the record.
  replace(['WebTransport'], ([address, options]) => [`https://localhost:1/?${encode(`${address}`)}`, options]);

  // Only through relays, and there are none: connections are made and never find each other.
  replace(['RTCPeerConnection', 'webkitRTCPeerConnection'],
      ([settings]) => [{ ...settings, iceServers: [], iceTransportPolicy: 'relay' }]);
  if (globalThis.RTCPeerConnection) RTCPeerConnection.prototype.setConfiguration = function () {};
})();
