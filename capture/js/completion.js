// Reads a region that fills by and by: its items, their texts, what proves that they are finished and
// what says that they are not. Installed after snapshot.js in the same isolated world.
//
//   topodb.region.read(query)  -> {ok, url, count, turns, beforeLastUser?, stops, progress, …}
//                                 everything from one moment; {ok: false, reason, selector?} otherwise
//   topodb.region.copy(query)  -> {ok}: clicks the copy control of exactly one item
//   topodb.region.find(selector) -> {handles}: which elements of the last snapshot it matches
//   topodb.region.select()     -> {ok}: selects what the focused field holds
//   topodb.region.image(source) -> Promise<{ok, type, data}>: the bytes of an image, base64
//
// query: {profile, from, images?, copy?}; `from`: items before it are of no interest.
// Between two reads the first change of the document goes out once through the binding topodbSignal,
// as "region": it only says that looking again is worth it.
(() => {
  'use strict';
  const topodb = globalThis.topodb;
  if (!topodb || topodb.region) return;
  const lib = topodb.lib;
  // Items that are described: what is wanted stands at the end.
  const MAX_TURNS = 16;
  // A text that is longer is no placeholder, and no other item is asked for one.
  const LONGEST_PLACEHOLDER = 200;
  const MAX_TEXT = 4 << 20;
  const MAX_IMAGE = 24 << 20;
  const MAX_ANCESTORS = 12;

  class BadSelector extends Error {}
  const nowhere = document.createDocumentFragment();
  const check = (profile) => {
    for (const value of Object.values(profile)) {
      for (const selector of Array.isArray(value) ? value : []) {
        try { nowhere.querySelector(selector); } catch { throw Object.assign(new BadSelector(), { selector }); }
      }
    }
  };
  const all = (root, selectors) => (selectors.length === 0 ? [] : [...root.querySelectorAll(selectors.join(','))]);
  const has = (el, selectors) => selectors.find((one) => all(el, [one]).some(rendered));
  const rendered = (el) => el.getClientRects().length > 0;
  const visible = (el) => rendered(el) && el.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });

  // Items in document order: role-verified nodes, each lifted to its nearest wrapper, what stands in
  // another one merged into the outermost.
  const resolve = (profile) => {
    const verified = profile.roles;
    const wrappers = profile.wrappers.join(',');
    const turns = new Set();
    const proven = profile.roles.join(',') === profile.items.join(',') ? () => true
      : (el) => el.matches(verified.join(',')) || el.querySelector(verified.join(',')) !== null;
    for (const node of all(document, profile.items)) {
      if (proven(node)) turns.add((wrappers && node.closest(wrappers)) || node);
    }
    const isBefore = (a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const list = [...turns];
    // Lifting hardly ever changes the order.
    if (list.some((el, i) => i > 0 && !isBefore(list[i - 1], el))) list.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    const outer = [];
    for (const el of list) if (outer.length === 0 || !outer[outer.length - 1].contains(el)) outer.push(el);
    return outer;
  };

  // The item's own attribute, else its first descendant's.
  const attributeOf = (el, name, prefix) => {
    if (!name) return null;
    const fits = (node) => { const value = node.getAttribute(name); return value && value.startsWith(prefix || '') ? value : null; };
    const own = fits(el);
    if (own) return own;
    for (const node of el.querySelectorAll(`[${CSS.escape(name)}]`)) {
      const value = fits(node);
      if (value) return value;
    }
    return null;
  };

  // From the bodies, so that a bar of controls beside them does not change it.
  const textOf = (el, profile) => {
    const outermost = (nodes) => nodes.filter((node) => !nodes.some((other) => other !== node && other.contains(node)));
    for (const selectors of [profile.bodies, profile.roles]) {
      const own = selectors.length > 0 && el.matches(selectors.join(','));
      const nodes = own ? [el] : outermost(all(el, selectors));
      if (nodes.length > 0) return nodes.map((node) => node.innerText).join('\n').slice(0, MAX_TEXT);
    }
    return el.innerText.slice(0, MAX_TEXT);
  };

  const imagesOf = (el) => [...el.querySelectorAll('img')].map((img) => {
    const ancestorIds = [];
    for (let node = img; node && ancestorIds.length < MAX_ANCESTORS; node = node.parentElement) {
      if (node.id) ancestorIds.push(node.id);
      if (node === el) break;
    }
    return { source: img.currentSrc || img.src, alternative: img.alt, ancestorIds, loaded: img.complete && img.naturalWidth > 0 };
  });

  const isLive = (el) => {
    if (!visible(el)) return false;
    const value = el.localName === 'progress' ? (el.hasAttribute('value') ? el.value : null) : el.getAttribute('aria-valuenow');
    const max = el.localName === 'progress' ? el.max : el.getAttribute('aria-valuemax') || 100;
    return value === null || Number(value) < Number(max);
  };

  const activityOf = (profile, latest) => {
    const stops = [];
    profile.stopControls.forEach((selector, rule) => {
      for (const el of all(document, [selector])) {
        if (visible(el)) stops.push({ rule, label: (el.getAttribute('aria-label') || el.textContent || '').slice(0, 200) });
      }
    });
    const bar = latest && [...latest.querySelectorAll('progress,[role="progressbar"]')].find(isLive);
    return { stops, progress: bar ? `progress "${lib.describe(bar)}"` : '' };
  };

  const describe = (el, index, profile, images) => {
    const turn = {
      index,
      messageId: attributeOf(el, profile.messageId),
      turnId: profile.turnId ? attributeOf(el, profile.turnId.attribute, profile.turnId.prefix) : null,
      control: has(el, profile.terminalControls) || '',
      busy: el.getAttribute('aria-busy') === 'true' || el.querySelector('[aria-busy="true"]') !== null,
    };
    if (images) turn.images = imagesOf(el);
    return turn;
  };

  const beforeLastUser = (turns, profile) => {
    const users = all(document, profile.userItems);
    if (users.length === 0) return undefined;
    const last = users[users.length - 1];
    let before = turns.length;
    while (before > 0 && (last.compareDocumentPosition(turns[before - 1]) & Node.DOCUMENT_POSITION_FOLLOWING)) before--;
    return before;
  };

  let waiting = false;
  let observer = null;
  const watch = () => {
    waiting = true;
    if (observer) return;
    observer = new MutationObserver(() => {
      if (!waiting) return;
      waiting = false;
      topodbSignal('region');
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  };

  const read = ({ profile, from, images }) => {
    check(profile);
    watch();
    const elements = resolve(profile);
    const first = Math.max(0, elements.length - MAX_TURNS);
    const turns = elements.slice(first).map((el, i) => describe(el, first + i, profile, images));
    for (let i = turns.length - 1; i >= 0 && turns[i].index >= from; i--) {
      turns[i].text = textOf(elements[turns[i].index], profile);
      if (turns[i].text.trim().length > LONGEST_PLACEHOLDER) break;
    }
    const reading = { ok: true, url: location.href, count: elements.length, turns, beforeLastUser: beforeLastUser(elements, profile) };
    try {
      Object.assign(reading, activityOf(profile, elements[elements.length - 1]));
    } catch {
      reading.activityUnread = true;
    }
    return reading;
  };

  const guarded = (run) => {
    try {
      return run();
    } catch (error) {
      if (error instanceof BadSelector) return { ok: false, reason: 'bad selector', selector: error.selector };
      return { ok: false, reason: String(error) };
    }
  };

  const copy = ({ profile, copy: wanted }) => {
    const elements = resolve(profile);
    const el = elements[wanted.index];
    if (!el) return { ok: false, reason: 'the item is gone' };
    const now = describe(el, wanted.index, profile, false);
    if (now.messageId !== wanted.messageId || now.turnId !== wanted.turnId || !now.control) return { ok: false, reason: 'the item is another one now' };
    const control = all(el, profile.copyControls).find(rendered);
    if (!control) return { ok: false, reason: 'the item has no copy control' };
    control.click();
    return { ok: true };
  };

  const image = async (source) => {
    try {
      const answer = await fetch(source, { credentials: 'include' });
      if (!answer.ok) return { ok: false, reason: `status ${answer.status}` };
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (bytes.length > MAX_IMAGE) return { ok: false, reason: 'it is too large' };
      let text = '';
      for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
      return { ok: true, type: (answer.headers.get('content-type') || '').split(';')[0].trim(), data: btoa(text) };
    } catch (error) {
      return { ok: false, reason: String(error) };
    }
  };

  const find = (selector) => {
    try { nowhere.querySelector(selector); } catch { return {}; }
    return { handles: (topodb.held || []).flatMap((entry, index) => (entry && entry.el.matches(selector) ? [index] : [])) };
  };

  const select = () => {
    let el = document.activeElement;
    while (el && el.shadowRoot && el.shadowRoot.activeElement) el = el.shadowRoot.activeElement;
    if (!el || el === document.body) return { ok: false, reason: 'no field has the focus' };
    if (typeof el.select === 'function') el.select();
    else if (el.isContentEditable) getSelection().selectAllChildren(el);
    else return { ok: false, reason: `${lib.describe(el)} is no field` };
    return { ok: true };
  };

  topodb.region = { find, select, read: (query) => guarded(() => read(query)), copy: (query) => guarded(() => copy(query)), image };
})();
