// Installed at document start in the page's own world while the clock is real: knows which timers,
// animation frames and idle callbacks the page waits for. A chain that armed itself anew more than
// MAX_REARMED times without changing the document is not waited for, nor are animation frames after
// one second of them: these never end.
//
//   InputEvent(CHANNEL + '-awaits', {data: horizon in ms}) at the document
//     -> InputEvent(CHANNEL + '-awaited') at the same; its data is JSON: {nextTimer: ms} or {}
(() => {
  'use strict';
  if (typeof window === 'undefined') return;
  const CHANNEL = '@channel@';
  const MAX_REARMED = 5;
  const MAX_FRAMES_MS = 1000;
  const add = EventTarget.prototype.addEventListener;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const now = performance.now.bind(performance);
  const native = {};
  for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback', 'cancelIdleCallback']) {
    native[name] = window[name].bind(window);
  }
  const seen = new MutationObserver(() => {});
  seen.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  // id -> {due, rearmed, since, delay, repeats}; timers and intervals share their ids.
  const timers = new Map();
  const frames = new Map();
  const idle = new Map();
  let running = null;  // the entry whose callback runs
  let armed = [];      // by that callback

  const entry = (delay) => {
    const made = { due: now() + delay, delay, rearmed: running ? running.rearmed + 1 : 0, since: running ? running.since : now() };
    if (running) armed.push(made);
    return made;
  };
  const run = (one, callback, args) => {
    const outer = [running, armed];
    seen.takeRecords();
    [running, armed] = [one, []];
    try {
      return Reflect.apply(callback, window, args);
    } finally {
      if (seen.takeRecords().length > 0) for (const next of [one, ...armed]) { next.rearmed = 0; next.since = now(); }
      [running, armed] = outer;
    }
  };
  const delayOf = (delay) => Math.min(Math.max(Number(delay) || 0, 0), 0x7fffffff);

  window.setTimeout = function setTimeout(callback, delay, ...args) {
    if (typeof callback !== 'function') return native.setTimeout(callback, delay, ...args);
    const one = entry(delayOf(delay));
    const id = native.setTimeout(() => { timers.delete(id); run(one, callback, args); }, delay);
    timers.set(id, one);
    return id;
  };
  window.setInterval = function setInterval(callback, delay, ...args) {
    if (typeof callback !== 'function') return native.setInterval(callback, delay, ...args);
    const one = entry(delayOf(delay));
    const id = native.setInterval(() => { one.due = now() + one.delay; one.rearmed++; run(one, callback, args); }, delay);
    timers.set(id, one);
    return id;
  };
  window.clearTimeout = function clearTimeout(id) { timers.delete(Number(id)); native.clearTimeout(id); };
  window.clearInterval = function clearInterval(id) { timers.delete(Number(id)); native.clearInterval(id); };

  window.requestAnimationFrame = function requestAnimationFrame(callback) {
    const one = entry(0);
    const id = native.requestAnimationFrame((time) => { frames.delete(id); run(one, callback, [time]); });
    frames.set(id, one);
    return id;
  };
  window.cancelAnimationFrame = function cancelAnimationFrame(id) { frames.delete(id); native.cancelAnimationFrame(id); };
  window.requestIdleCallback = function requestIdleCallback(callback, options) {
    const one = entry(0);
    const id = native.requestIdleCallback((deadline) => { idle.delete(id); run(one, callback, [deadline]); }, options);
    idle.set(id, one);
    return id;
  };
  window.cancelIdleCallback = function cancelIdleCallback(id) { idle.delete(id); native.cancelIdleCallback(id); };

  // When the page goes elsewhere by itself; Infinity: never.
  const refreshDue = () => {
    const meta = document.querySelector('meta[http-equiv="refresh" i]');
    const seconds = meta ? parseFloat(meta.content) : NaN;
    const loaded = performance.getEntriesByType('navigation')[0]?.domContentLoadedEventStart || now();
    return seconds >= 0 ? loaded + seconds * 1000 + 50 : Infinity;
  };

  add.call(window, CHANNEL + '-awaits', (event) => {
    const horizon = Number(event.data);
    const at = now();
    let next = Infinity;
    for (const { due, rearmed } of timers.values()) {
      if (rearmed <= MAX_REARMED && due - at <= horizon) next = Math.min(next, Math.max(0, due - at));
    }
    const refresh = refreshDue() - at;
    if (refresh > -MAX_FRAMES_MS && refresh <= horizon) next = Math.min(next, Math.max(0, refresh));
    for (const { since } of [...frames.values(), ...idle.values()]) if (at - since < MAX_FRAMES_MS) next = 0;
    dispatch.call(document, new InputEvent(CHANNEL + '-awaited', { data: JSON.stringify(next < Infinity ? { nextTimer: Math.ceil(next) } : {}) }));
  }, true);
})();
