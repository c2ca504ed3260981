// Acts on exactly the element that the last snapshot held. Installed after snapshot.js in the same
// isolated world.
//
//   topodb.reach({generation, index})  -> {outcome, detail?, scrolled}   scrolls if it must
//   topodb.aim({generation, index}, input) -> {outcome, detail?, x, y}   hit-tests and arms the receipt
//   topodb.throughFrame({frame | owner, x, y}, input) -> {outcome, detail?, x, y}   one frame further out
//   topodb.enter({generation, index}, value) -> {outcome, detail?, typing?, changed?}   sets the value, or
//                                        prepares the control for typing it
//   topodb.entered()                   -> whether what was typed changed the control
//   topodb.focusOn({generation, index}) -> {outcome, detail?}            so that keys go there
//   topodb.fileInput({generation, index}) -> the element, if files can be given to it
//   topodb.reveal({owner})             -> {scrolled}                     scrolls to a frame
//   topodb.frame(horizon)              -> Promise<facts>                 one rendered frame, see below
//   topodb.facts(horizon)              -> facts                          the same without a frame
//   topodb.leave()                     -> nothing      empties what the tab keeps for its next page
//
// Receipts go out through the binding topodbSignal at the very moment of the event, so that they
// survive a navigation that the event starts: "hit", "wrong <element>".
(() => {
  'use strict';
  const topodb = globalThis.topodb;
  if (!topodb || topodb.aim) return;
  const lib = topodb.lib;
  const CHANNEL = '@channel@';
  const raf = globalThis.requestAnimationFrame.bind(globalThis);

  // In which way the held element is for something else than when it was looked at; '' if in none.
  // A list may fill the same nodes with other rows.
  const otherwise = ({ el, ids, row, places }) => {
    if (ids !== undefined && lib.idsNow(el) !== ids) return 'its ids are others now';
    if (row && !lib.composedContains(row.el, el)) return 'it left its row';
    if (row && lib.rowKeyNow(row.el, el) !== row.key) return `its row is now ${JSON.stringify((lib.rowKeyNow(row.el, el) || '').slice(0, 120))}`;
    for (const place of places || []) {
      if (!lib.composedContains(place.el, el)) return 'it left its place';
      if (place.dialog !== null && lib.computed(place.el).name !== place.dialog) return 'its dialog is another now';
    }
    return '';
  };
  const renamed = ({ el, role, name }) => {
    const now = lib.computed(el);
    return now.role === role && now.name === name ? '' : `the element is now ${now.role} ${JSON.stringify(now.name.slice(0, 120))}`;
  };

  // The held element, if it still is what the snapshot recorded: same node, connected, in this
  // document, same role and name, same ids, row and place.
  const held = ({ generation, index }) => {
    const entry = generation === topodb.generation ? topodb.held[index] : undefined;
    if (!entry) return { outcome: 'stale', detail: 'the page was looked at again since' };
    if (!lib.isConnected(entry.el)) return { outcome: 'stale', detail: 'the element left the document' };
    if (entry.el.ownerDocument !== document) return { outcome: 'stale', detail: 'the element moved to another document' };
    // What is not shown has no name.
    if (!lib.visible(entry.el)) return { outcome: 'notVisible' };
    const changed = renamed(entry) || otherwise(entry);
    if (changed) return { outcome: 'stale', detail: changed };
    if (!lib.isEnabled(entry.el)) return { outcome: 'disabled' };
    return { el: entry.el, entry };
  };

  topodb.leave = () => {
    try { sessionStorage.clear(); } catch { /* a document without an origin has none */ }
    window.name = '';
  };

  topodb.reach = (target) => {
    const found = held(target);
    if (!found.el) return found;
    const before = lib.centre(found.el);
    if (lib.inViewport(before) && lib.receives(found.el, before.x, before.y).ok) return { outcome: 'ready', scrolled: false };
    found.el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const after = lib.centre(found.el);
    return { outcome: 'ready', scrolled: after.x !== before.x || after.y !== before.y };
  };

  let armed = null;

  // An integer point inside the box, nearest to its centre.
  const pointIn = (r) => {
    const clamp = (low, high, v) => Math.min(Math.max(v, Math.ceil(low)), Math.max(Math.ceil(low), Math.floor(high)));
    return {
      x: clamp(Math.max(r.left, 0), Math.min(r.right, innerWidth) - 1, Math.round(r.left + r.width / 2)),
      y: clamp(Math.max(r.top, 0), Math.min(r.bottom, innerHeight) - 1, Math.round(r.top + r.height / 2)),
    };
  };

  topodb.aim = (target, input) => {
    armed = null;
    const found = held(target);
    if (!found.el) return found;
    const box = lib.box(found.el);
    if (box.right <= 0 || box.bottom <= 0 || box.left >= innerWidth || box.top >= innerHeight) return { outcome: 'offscreen' };
    const point = pointIn(box);
    if (!lib.inViewport(point)) return { outcome: 'offscreen' };
    const hit = lib.receives(found.el, point.x, point.y);
    if (!hit.ok) return { outcome: 'obscured', detail: hit.blocker };
    armed = { el: found.el, entry: found.entry, input: INPUTS[input], ...outside(found.el) };
    listen(globalThis);
    if (armed.inner) listen(armed.inner);
    return { outcome: 'ready', x: point.x, y: point.y };
  };

  const accepts = (el, target) => lib.composedContains(el, target)
    || (el.labels && [...el.labels].some((label) => lib.composedContains(label, target)))
    || (lib.localName(el) === 'area' && lib.localName(target) === 'img');

  // What an event at the element looks like from outside of closed shadow roots, and the innermost
  // of these, which alone sees where it really goes.
  const outside = (el) => {
    let inner = null;
    for (let root = el.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) {
      if (root.mode === 'closed') { inner = inner || root; el = root.host; }
    }
    return { seen: el, inner };
  };

  // The events of each kind of input that must reach the pinned element alone.
  const INPUTS = {
    pointer: { events: ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'], receipts: ['mousedown', 'click'], last: 'click' },
    hover: { events: ['mousemove'], receipts: ['mousemove'], last: 'mousemove' },
    text: { events: ['keydown', 'beforeinput'], receipts: ['keydown', 'beforeinput'], last: 'beforeinput' },
    key: { events: ['keydown'], receipts: ['keydown'], last: 'keydown' },
    none: { events: [], receipts: [], last: '' },
  };

  // Why what happens to the armed element now would happen to something else; '' if it would not.
  // Once the page has heard of the input it may rename what it is about ("Saving…"); a tooltip may
  // take the only name away.
  const recycled = () => {
    const { entry, heard } = armed;
    if (!entry) return '';
    const other = otherwise(entry);
    return other || heard || lib.computed(armed.el).name === '' ? other : renamed(entry);
  };

  // First in line: registered at document start, on the window, capturing.
  const watch = (event) => {
    if (!armed || !event.isTrusted || !armed.input.events.includes(event.type)) return;
    const target = event.composedPath()[0];
    if (armed.inner && event.currentTarget !== armed.inner && lib.composedContains(target, armed.seen)) return;
    const other = recycled();
    if (target instanceof Node && !other && accepts(armed.el, target)) {
      const { last, receipts } = armed.input;
      armed.heard = true;
      if (event.type === last) armed = null;
      if (receipts.includes(event.type)) topodbSignal('hit');
      return;
    }
    event.stopImmediatePropagation();
    event.preventDefault();
    topodbSignal('wrong ' + lib.describe(target instanceof Element ? target : null) + (other && `: ${other}`));
  };
  const WATCHED = [...new Set(Object.values(INPUTS).flatMap(({ events }) => events))];
  // Adding it again changes nothing; document.open() takes it away.
  const listen = (at) => { for (const type of WATCHED) at.addEventListener(type, watch, true); };
  listen(globalThis);

  topodb.disarm = () => { armed = null; };

  // ---- entering values ----
  const notTaken = (detail) => ({ outcome: 'notTaken', detail });
  const takesFocus = (el) => {
    (el instanceof SVGElement ? SVGElement : HTMLElement).prototype.focus.call(el, { preventScroll: true });
    return el.getRootNode().activeElement === el;
  };
  topodb.focusOn = (target) => {
    const found = held(target);
    if (!found.el) return found;
    return takesFocus(found.el) ? { outcome: 'ready' } : notTaken('the keyboard cannot be given to it');
  };

  // What cannot be typed is set; the page hears of it as of a choice, though not as a trusted event.
  const SET = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range']);
  const tell = (el) => {
    topodbSignal('hit');
    el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const set = (el, value) => {
    const before = el.value;
    el.value = value;
    const fits = el.type === 'range' ? value.trim() !== '' && Number.isFinite(Number(value))
      : el.type === 'color' ? el.value === value.toLowerCase() : el.value !== '' || value === '';
    if (!fits) {
      el.value = before;
      return notTaken(`it is no ${el.type}`);
    }
    const changed = el.value !== before;
    tell(el);
    return { outcome: 'ready', changed };
  };
  const choose = (el, value) => {
    const options = [...el.options].filter((option) => !option.disabled && !option.closest('optgroup:disabled'));
    const find = (wanted) => options.find((option) => option.value === wanted) || options.find((option) => option.label.trim() === wanted);
    const chosen = (el.multiple ? value.split('\n') : [value]).map(find);
    if (chosen.includes(undefined)) return notTaken('it has no such option');
    takesFocus(el);
    const before = [...el.selectedOptions];
    if (el.multiple) for (const option of options) option.selected = chosen.includes(option);
    else chosen[0].selected = true;
    const after = [...el.selectedOptions];
    tell(el);
    return { outcome: 'ready', changed: after.length !== before.length || after.some((option, i) => option !== before[i]) };
  };

  const isField = (el) => ['input', 'textarea'].includes(lib.localName(el));
  const content = (el) => (isField(el) ? el.value : el.textContent);
  const selectAll = (el) => {
    if (isField(el)) el.select();
    else getSelection().selectAllChildren(el);
  };
  let entering = null;
  topodb.enter = (target, value) => {
    const found = held(target);
    if (!found.el) return found;
    const { el } = found;
    if (lib.localName(el) === 'select') return choose(el, value);
    if (isField(el) ? el.readOnly : !el.isContentEditable) return notTaken('it cannot be edited');
    if (lib.localName(el) === 'input' && SET.has(el.type)) return set(el, value);
    entering = { el, before: content(el) };
    if (!takesFocus(el)) return notTaken('the keyboard cannot be given to it');
    selectAll(el);
    return { outcome: 'ready', typing: true };
  };
  topodb.entered = () => entering !== null && content(entering.el) !== entering.before;

  topodb.fileInput = (target) => {
    const { el } = held(target);
    if (!el || lib.localName(el) !== 'input' || el.type !== 'file') return null;
    el.addEventListener('input', () => topodbSignal('hit'), { once: true, capture: true });
    return el;
  };

  const frameElement = (frame) => [...document.querySelectorAll('iframe,frame')].find((el) => el.contentWindow === window[frame]) || null;
  // A point of a child frame's viewport -> this frame's, when nothing covers the frame there. Arms
  // this frame too: an event that reaches it instead of the child is caught.
  topodb.throughFrame = ({ frame, owner, x, y }, input) => {
    const el = owner === undefined ? frameElement(frame) : topodb.owners[owner];
    if (!el) return { outcome: 'stale', detail: 'the frame left the document' };
    const r = lib.box(el);
    const style = getComputedStyle(el);
    const point = { x: x + r.left + el.clientLeft + parseFloat(style.paddingLeft), y: y + r.top + el.clientTop + parseFloat(style.paddingTop) };
    const hit = lib.hitAt(el, point.x, point.y);
    if (hit !== el) return { outcome: 'obscured', detail: lib.describe(hit) };
    armed = { el, input: INPUTS[input], ...outside(el) };
    return { outcome: 'ready', ...point };
  };

  // A frame of another process cannot scroll the page around it in time.
  topodb.reveal = ({ owner }) => {
    const el = topodb.owners[owner];
    const before = lib.box(el);
    if (before.top >= 0 && before.left >= 0 && before.bottom <= innerHeight && before.right <= innerWidth) return { scrolled: false };
    el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const after = lib.box(el);
    return { scrolled: after.x !== before.x || after.y !== before.y };
  };

  let changes = 0;
  new MutationObserver((records) => { changes += records.length; })
    .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  // What the page waits for, as outside.js and timers.js tell it, and what it did so far:
  // {changes, animations, outside, outsideBegun, nextTimer}; -1: no timer within `horizon` ms.
  // Ends finite animations; `animations` is their number.
  let awaited = {};
  const hear = (event) => {
    event.stopImmediatePropagation();
    Object.assign(awaited, JSON.parse(event.data));
  };
  const endAnimations = () => {
    let animations = 0;
    for (const animation of document.getAnimations()) {
      const end = animation.effect && animation.effect.getComputedTiming().endTime;
      if (animation.playState !== 'running' || !Number.isFinite(end)) continue;
      animations++;
      try { animation.finish(); } catch { /* an infinite one */ }
    }
    return animations;
  };
  const factsAfter = (animations, horizon) => {
    awaited = { outside: 0, outsideBegun: 0, nextTimer: -1 };
    globalThis.addEventListener(CHANNEL + '-awaited', hear, true);
    document.dispatchEvent(new InputEvent(CHANNEL + '-awaits', { data: String(horizon) }));
    return { changes, animations, ...awaited };
  };
  topodb.facts = (horizon) => factsAfter(endAnimations(), horizon);
  topodb.frame = (horizon) => {
    const animations = endAnimations();
    return new Promise((resolve) => raf(() => resolve(factsAfter(animations, horizon))));
  };
})();
