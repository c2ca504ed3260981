// Installed at document start in the page's own world while the clock is virtual: animation frames
// and idle callbacks follow the virtual clock instead of the display, of which a paused page sees
// next to none. topodb's own frames use the native function of the isolated world.
(() => {
  'use strict';
  if (typeof window === 'undefined') return;
  const later = window.setTimeout.bind(window);
  const cancel = window.clearTimeout.bind(window);
  const now = performance.now.bind(performance);
  window.requestAnimationFrame = function requestAnimationFrame(callback) {
    return later(() => callback(now()), 16);
  };
  window.cancelAnimationFrame = function cancelAnimationFrame(handle) { cancel(handle); };
  window.requestIdleCallback = function requestIdleCallback(callback) {
    return later(() => callback({ didTimeout: false, timeRemaining: () => 50 }), 1);
  };
  window.cancelIdleCallback = function cancelIdleCallback(handle) { cancel(handle); };
})();
