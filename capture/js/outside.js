// Installed at document start in the page's own world: counts what the page asked of other threads
// (databases, caches, locks, workers) and of drawing (observers), and has no answer to yet. The clock
// of the page's own thread knows nothing of these.
//
//   InputEvent(CHANNEL + '-awaits') at the document -> InputEvent(CHANNEL + '-awaited') at the same;
//   its data is JSON: {outside, outsideBegun, stored, prompts}. See listeners.js for the way. Since the
//   last answer: `stored`, what was written to in databases, as database/store; `prompts`, what a
//   person would have been asked: to print, or for a permission.
(() => {
  'use strict';
  if (typeof window === 'undefined') return;
  const CHANNEL = '@channel@';
  const add = EventTarget.prototype.addEventListener;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const then = Promise.prototype.then;
  const apply = Reflect.apply;

  let begun = 0;
  let ended = 0;
  const begin = (answer) => {
    let over = false;
    const end = () => { if (!over) ended++; over = true; };
    if (answer instanceof Promise) then.call(answer, end, end);
    else if (window.IDBRequest && answer instanceof IDBRequest) for (const type of ['success', 'error', 'blocked']) add.call(answer, type, end, true);
    else return;
    begun++;
  };

  const WRITES = ['add', 'put', 'delete', 'clear', 'update', 'deleteDatabase'];
  const MOST = 100;
  let stored = new Set();
  const noteWrite = (on, args) => {
    if (stored.size >= MOST) return;
    try {
      if (on instanceof IDBFactory) return void stored.add(`${args[0]}`);
      const source = on instanceof IDBCursor ? on.source : on;
      const store = source instanceof IDBIndex ? source.objectStore : source;
      if (store instanceof IDBObjectStore) stored.add(`${store.transaction.db.name}/${store.name}`);
    } catch { /* the page changed what names it */ }
  };

  // `call` stands in for the method and is given it.
  const wrap = (owner, method, call) => {
    const native = owner && owner[method];
    if (typeof native === 'function') owner[method] = { [method](...args) { return call(native, this, args); } }[method];
  };

  let prompts = new Set();
  // Nothing is printed, but the page hears that it was.
  const print = { print() {
    prompts.add('print');
    for (const type of ['beforeprint', 'afterprint']) dispatch.call(window, new Event(type));
  } }.print;
  window.print = print;
  wrap(Document.prototype, 'execCommand', (native, on, args) => (
    `${args[0]}`.toLowerCase() === 'print' ? (print(), true) : apply(native, on, args)));

  // Denied by the browser, see BrowserTabs.
  const PERMISSIONS = {
    Bluetooth: { requestDevice: 'bluetooth' },
    Clipboard: { read: 'clipboard', readText: 'clipboard' },
    Geolocation: { getCurrentPosition: 'geolocation', watchPosition: 'geolocation' },
    HID: { requestDevice: 'hid' },
    MediaDevices: { getDisplayMedia: 'screen', getUserMedia: 'camera or microphone' },
    Navigator: { requestMIDIAccess: 'midi' },
    PushManager: { subscribe: 'push' },
    Serial: { requestPort: 'serial' },
    StorageManager: { persist: 'persistent storage' },
    USB: { requestDevice: 'usb' },
  };
  const noted = (owner, method, permission) => wrap(owner, method, (native, on, args) => {
    prompts.add(permission);
    return apply(native, on, args);
  });
  for (const [name, methods] of Object.entries(PERMISSIONS)) {
    for (const [method, permission] of Object.entries(methods)) noted(window[name] && window[name].prototype, method, permission);
  }
  noted(window.Notification, 'requestPermission', 'notifications');

  const ASKS = {
    IDBFactory: ['open', 'deleteDatabase', 'databases'],
    IDBObjectStore: ['get', 'getAll', 'getKey', 'getAllKeys', 'count', 'add', 'put', 'delete', 'clear', 'openCursor', 'openKeyCursor'],
    IDBCursor: ['update', 'delete'],
    IDBIndex: ['get', 'getAll', 'getKey', 'getAllKeys', 'count', 'openCursor', 'openKeyCursor'],
    CacheStorage: ['open', 'match', 'has', 'keys', 'delete'],
    Cache: ['match', 'matchAll', 'add', 'addAll', 'put', 'keys', 'delete'],
    LockManager: ['query'],
    StorageManager: ['estimate', 'getDirectory', 'persisted'],
    SubtleCrypto: ['digest', 'encrypt', 'decrypt', 'sign', 'verify', 'generateKey', 'importKey', 'deriveKey', 'deriveBits'],
    ServiceWorkerContainer: ['register', 'getRegistration', 'getRegistrations'],
    Blob: ['text', 'arrayBuffer'],
  };
  for (const [name, methods] of Object.entries(ASKS)) {
    const proto = window[name] && window[name].prototype;
    for (const method of methods) {
      wrap(proto, method, (native, on, args) => {
        const answer = apply(native, on, args);
        begin(answer);
        if (WRITES.includes(method)) noteWrite(on, args);
        return answer;
      });
    }
  }
  // Whether one of these will say something nobody knows; that it is there is worth a second look.
  for (const name of ['Worker', 'SharedWorker', 'IntersectionObserver', 'ResizeObserver']) {
    const native = window[name];
    if (!native) continue;
    const counted = new Proxy(native, { construct(target, args, made) { begun++; ended++; return Reflect.construct(target, args, made); } });
    native.prototype.constructor = counted;
    window[name] = counted;
  }

  add.call(window, CHANNEL + '-awaits', () => {
    const data = JSON.stringify({ outside: begun - ended, outsideBegun: begun, stored: [...stored], prompts: [...prompts] });
    stored = new Set();
    prompts = new Set();
    dispatch.call(document, new InputEvent(CHANNEL + '-awaited', { data }));
  }, true);
})();
