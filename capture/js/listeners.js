// Installed at document start in the page's own world: remembers which nodes script made clickable
// and which shadow roots it closed, and tells topodb's isolated world on request. Both worlds share
// nothing but the document, so an input event whose target ranges begin at the nodes carries them;
// its name is drawn anew for every page, and the page never hears it.
//
//   Event(CHANNEL) at a document or shadow root -> InputEvent(CHANNEL + '-answer') at the same, once
//   for each kind; its data is JSON: {kind: "listens", selectors: [[selector, …] a node]} with what
//   the listeners' texts ask events about (`event.target.closest('.item')`), or {kind: "closed"}
//
// Ranges cannot leave the tree they are in, hence a question for each tree.
(() => {
  'use strict';
  if (typeof window === 'undefined') return;
  const CHANNEL = '@channel@';
  const POINTER = new Set(['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'dblclick', 'touchstart', 'touchend']);
  const T = EventTarget.prototype;
  const add = T.addEventListener;
  const remove = T.removeEventListener;
  const dispatch = T.dispatchEvent;
  const attach = Element.prototype.attachShadow;
  const rootOf = Node.prototype.getRootNode;
  const pathOf = Event.prototype.composedPath;
  const stop = Event.prototype.stopImmediatePropagation;
  const textOf = Function.prototype.toString;

  const listeners = new Map();  // node -> its pointer listeners: {key: type and phase, listener}
  const closed = new Set();     // hosts

  // Text of a listener -> the selectors in it; most listeners ask for none.
  const selectorsOf = (listener) => {
    if (typeof listener !== 'function') return [];
    const text = textOf.call(listener);
    return text.length > 20000 ? [] : [...text.matchAll(/\.(?:closest|matches)\(\s*(['"`])([^'"`$]{1,200})\1\s*\)/g)].map((match) => match[2]);
  };

  const isCapture = (options) => options === true || (typeof options === 'object' && options !== null && options.capture === true);
  const nodeOf = (target) => (target === window || target === undefined || target === null ? document : target instanceof Node ? target : null);
  const register = (target, type, listener, options) => {
    const node = nodeOf(target);
    if (node === null || !POINTER.has(type) || !listener) return;
    let known = listeners.get(node);
    if (!known) listeners.set(node, known = []);
    const key = type + (isCapture(options) ? '!' : '');
    if (known.some((one) => one.key === key && one.listener === listener)) return;
    known.push({ key, listener });
    if (typeof options !== 'object' || options === null) return;
    const end = () => forget(target, type, listener, options);
    if (options.once) add.call(target || window, type, end, { once: true, capture: isCapture(options) });
    if (options.signal) add.call(options.signal, 'abort', end);
  };
  const forget = (target, type, listener, options) => {
    const node = nodeOf(target);
    const known = node === null ? undefined : listeners.get(node);
    if (!known) return;
    const key = type + (isCapture(options) ? '!' : '');
    const left = known.filter((one) => one.key !== key || one.listener !== listener);
    if (left.length) listeners.set(node, left); else listeners.delete(node);
  };

  T.addEventListener = function addEventListener(type, listener, options) {
    add.call(this, type, listener, options);
    if (!options?.signal?.aborted) register(this, String(type), listener, options);
  };
  T.removeEventListener = function removeEventListener(type, listener, options) {
    forget(this, String(type), listener, options);
    remove.call(this, type, listener, options);
  };
  for (const proto of [HTMLElement.prototype, SVGElement.prototype]) {
    for (const type of POINTER) {
      const property = Object.getOwnPropertyDescriptor(proto, 'on' + type);
      if (!property || !property.set) continue;
      Object.defineProperty(proto, 'on' + type, {
        ...property,
        set(handler) {
          property.set.call(this, handler);
          forget(this, type, 'property');
          if (typeof handler === 'function') register(this, type, 'property');
        },
      });
    }
  }

  let byRoot = new Map();  // root -> its nodes that listen, as of the document's last question
  const group = () => {
    byRoot = new Map();
    for (const node of listeners.keys()) {
      const root = rootOf.call(node);
      const nodes = byRoot.get(root);
      if (nodes) nodes.push(node); else byRoot.set(root, [node]);
    }
  };
  const say = (root, fact, nodes) => {
    const targetRanges = nodes.map((node) => new StaticRange({ startContainer: node, startOffset: 0, endContainer: node, endOffset: 0 }));
    dispatch.call(root, new InputEvent(CHANNEL + '-answer', { data: JSON.stringify(fact), targetRanges }));
  };
  const answer = (event) => {
    stop.call(event);
    const root = event.currentTarget === window ? pathOf.call(event)[0] : event.currentTarget;
    if (root === document) group();
    const nodes = byRoot.get(root) || [];
    const selectors = nodes.map((node) => listeners.get(node).flatMap(({ listener }) => selectorsOf(listener)));
    say(root, { kind: 'listens', selectors }, nodes);
    say(root, { kind: 'closed' }, [...closed].filter((host) => rootOf.call(host) === root));
  };
  add.call(window, CHANNEL, answer, true);

  Element.prototype.attachShadow = function attachShadow(init) {
    const root = attach.call(this, init);
    if (root.mode === 'closed') {
      closed.add(this);
      add.call(root, CHANNEL, answer, true);
    }
    return root;
  };
})();
