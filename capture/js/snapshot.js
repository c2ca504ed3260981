// Looks at one document. Installed at document start in an isolated world of every frame, so that
// page script can neither see nor replace it; page elements can still shadow properties of forms
// (<input name="children">), so DOM properties are read through the prototypes' own getters.
//
//   topodb.snapshot({generation, maxElements, maxName, maxText}) -> plain object, see snapshotter.cc
//   topodb.devtools   {role, name}: functions of the developer tools' console, set from outside
//   topodb.unopened   hosts whose closed shadow roots the last snapshot could not enter
//   topodb.open(root, ...)   closed roots of those hosts, null for hosts that have none
//   topodb.placeOf(element)  the same as in `frames` for one frame's element, held in topodb.owners
//
// Nothing here writes to the document. The found elements are held in topodb.held by index until
// the next snapshot: act.js acts on exactly those objects.
(() => {
  'use strict';
  if (globalThis.topodb) return;

  const getter = (proto, name) => {
    const get = Object.getOwnPropertyDescriptor(proto, name).get;
    return (node) => get.call(node);
  };
  const method = (proto, name) => {
    const call = proto[name];
    return (node, ...args) => call.apply(node, args);
  };
  const E = Element.prototype;
  const N = Node.prototype;
  const localName = getter(E, 'localName');
  const firstElementChild = getter(E, 'firstElementChild');
  const nextElementSibling = getter(E, 'nextElementSibling');
  const shadowRootOf = getter(E, 'shadowRoot');
  const parentNode = getter(N, 'parentNode');
  const textContent = getter(N, 'textContent');
  const isConnected = getter(N, 'isConnected');
  const firstChild = getter(N, 'firstChild');
  const nextSibling = getter(N, 'nextSibling');
  const innerText = getter(HTMLElement.prototype, 'innerText');
  const attr = method(E, 'getAttribute');
  const hasAttr = method(E, 'hasAttribute');
  const hasAttrs = method(E, 'hasAttributes');
  const attrNames = method(E, 'getAttributeNames');
  const matches = method(E, 'matches');
  const box = method(E, 'getBoundingClientRect');
  const checkVisibility = method(E, 'checkVisibility');
  const controlOf = getter(HTMLLabelElement.prototype, 'control');
  const assignedSlot = getter(E, 'assignedSlot');
  const fragmentFirst = getter(DocumentFragment.prototype, 'firstElementChild');
  const contains = method(N, 'contains');

  const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-qa', 'data-cy'];
  const STABLE = new Set([...TEST_IDS, 'id', 'name', 'type', 'href', 'title', 'alt', 'rel', 'download',
    'target', 'for', 'aria-label', 'aria-haspopup', 'aria-expanded', 'aria-controls', 'aria-selected',
    'aria-checked', 'aria-pressed', 'aria-current', 'aria-disabled', 'aria-invalid', 'contenteditable',
    'tabindex']);
  const SKIPPED = new Set(['script', 'style', 'template', 'head', 'noscript', 'link', 'meta', 'title', 'base']);
  const WIDGET = new Set(['button', 'link', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio',
    'checkbox', 'radio', 'switch', 'combobox', 'textbox', 'searchbox', 'option', 'slider', 'spinbutton',
    'treeitem']);
  const ROLES = new Set(('alert alertdialog application article banner blockquote button caption cell checkbox code '
    + 'columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed '
    + 'figure form generic grid gridcell group heading image img insertion link list listbox listitem log main mark marquee '
    + 'math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation '
    + 'progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton '
    + 'status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar '
    + 'tooltip tree treegrid treeitem').split(' '));
  const HANDLERS = ['onclick', 'onmousedown', 'onmouseup', 'onpointerdown', 'onpointerup', 'ondblclick'];
  const SEMANTIC_TAG = new Set(['nav', 'main', 'aside', 'header', 'footer', 'section', 'article', 'form',
    'dialog', 'ul', 'ol', 'li', 'table', 'tr', 'td', 'th', 'fieldset', 'details', 'menu', 'search']);
  // Roles kept as ancestry; the second list is named by its author only, never by its content.
  const KEPT = new Set(['navigation', 'main', 'complementary', 'banner', 'contentinfo', 'search', 'form',
    'region', 'article', 'dialog', 'alertdialog', 'list', 'table', 'grid', 'treegrid', 'rowgroup', 'group',
    'tabpanel', 'tablist', 'toolbar', 'menu', 'menubar', 'tree', 'radiogroup', 'listbox', 'feed']);
  const KEPT_UNNAMED = new Set(['listitem', 'row', 'cell', 'gridcell', 'columnheader', 'rowheader']);
  const LANDMARK = new Set(['navigation', 'main', 'complementary', 'banner', 'contentinfo', 'search', 'region', 'form']);
  const EDITABLE_TYPES = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number', 'date',
    'time', 'month', 'week', 'datetime-local', 'color', 'range', 'file']);

  const squeeze = (text) => text.replace(/[\t\n\f\r ]+/g, ' ').trim();
  // At most `limit` UTF-16 units; a lone surrogate becomes U+FFFD, so that the text is valid UTF-8.
  const cut = (text, limit) => (text.length <= limit ? text : text.slice(0, limit)).toWellFormed();
  // Without the members that say nothing: the reader takes an absent one as empty. A page of 20,000
  // links is handed over in less than half the bytes.
  const lean = (object) => {
    const out = {};
    for (const key in object) {
      const value = object[key];
      if (value === null || value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0)) continue;
      out[key] = value;
    }
    return out;
  };
  const orNull = (text, limit) => {
    if (text === null || text === undefined) return null;
    const clean = squeeze(cut(String(text), limit * 2));
    return clean === '' ? null : cut(clean, limit);
  };

  // Two 32-bit lanes with the murmur3 finaliser's multipliers; content evidence, not security.
  class Hasher {
    constructor() { this.a = 0x9e3779b9; this.b = 0x85ebca6b; }
    number(n) {
      this.a = Math.imul(this.a ^ n, 0x85ebca6b); this.a ^= this.a >>> 15;
      this.b = Math.imul(this.b ^ n, 0xc2b2ae35); this.b ^= this.b >>> 13;
      return this;
    }
    string(s) {
      for (let i = 0; i < s.length; i++) {
        const c = s.charCodeAt(i);
        this.a = Math.imul(this.a ^ c, 0x85ebca6b); this.a ^= this.a >>> 15;
        this.b = Math.imul(this.b ^ c, 0xc2b2ae35); this.b ^= this.b >>> 13;
      }
      return this.number(s.length);
    }
    hex() {
      return (this.a >>> 0).toString(16).padStart(8, '0') + (this.b >>> 0).toString(16).padStart(8, '0');
    }
  }

  // The first role of the attribute that exists is the one that counts.
  const roleAttr = (el) => {
    const value = attr(el, 'role');
    if (value === null) return '';
    return value.toLowerCase().split(/[\t\n\f\r ]+/).find((role) => ROLES.has(role) || /^(doc|graphics)-/.test(role)) || '';
  };

  // An area's shape is a part of its image. (Chromium gives areas no box.)
  const imageOf = (area) => {
    const map = area.closest('map');
    const name = map && (attr(map, 'name') || attr(map, 'id'));
    return name ? map.getRootNode().querySelector(`img[usemap="#${CSS.escape(name)}"]`) : null;
  };
  const areaBox = (area) => {
    const image = imageOf(area);
    if (!image) return new DOMRect();
    const outer = box(image);
    const style = getComputedStyle(image);
    const left = outer.left + image.clientLeft + parseFloat(style.paddingLeft);
    const top = outer.top + image.clientTop + parseFloat(style.paddingTop);
    const n = (attr(area, 'coords') || '').split(',').map(parseFloat);
    const shape = (attr(area, 'shape') || 'rect').toLowerCase();
    if (shape === 'default') return outer;
    if (shape.startsWith('circ')) return new DOMRect(left + n[0] - n[2], top + n[1] - n[2], 2 * n[2], 2 * n[2]);
    const xs = n.filter((_, i) => i % 2 === 0);
    const ys = n.filter((_, i) => i % 2 === 1);
    const x = Math.min(...xs), y = Math.min(...ys);
    return new DOMRect(left + x, top + y, Math.max(...xs) - x, Math.max(...ys) - y);
  };
  const firstPart = (el) => {
    if (firstChild(el) === null) return undefined;
    const range = document.createRange();
    range.selectNodeContents(el);
    return [...range.getClientRects()].find((part) => part.width > 0 && part.height > 0);
  };
  // Where an element is drawn: its box, or, where that is empty (display: contents, floating or
  // positioned content), the first box of its content.
  const place = (el) => {
    if (localName(el) === 'area') return areaBox(el);
    const r = box(el);
    if (r.width > 0 && r.height > 0) return r;
    const part = firstPart(el);
    return part !== undefined && getComputedStyle(el).overflow === 'visible' ? part : r;
  };
  const VISIBLE = { checkOpacity: true, checkVisibilityCSS: true, contentVisibilityAuto: false };
  const isDrawn = (el) => {
    if (checkVisibility(el, VISIBLE)) return true;
    if (localName(el) === 'area') { const image = imageOf(el); return image !== null && isDrawn(image); }
    // Without a box of its own it is never "visible", but its content may be.
    if (firstPart(el) === undefined || getComputedStyle(el).display !== 'contents') return false;
    const parent = parentNode(el);
    return !(parent instanceof Element) || isDrawn(parent);
  };
  // Where it is drawn, or null where it is not.
  const visibleBox = (el) => {
    if (!isDrawn(el)) return null;
    const r = place(el);
    return r.width > 0 && r.height > 0 ? r : null;
  };
  const visible = (el) => visibleBox(el) !== null;

  // ---- what the page's script did, as listeners.js tells it ----
  const CHANNEL = '@channel@';
  let heard = {};
  const hear = (event) => {
    event.stopImmediatePropagation();
    const { kind, selectors } = JSON.parse(event.data);
    const nodes = event.getTargetRanges().map((range) => range.startContainer);
    if (kind === 'closed') heard.closed = nodes;
    else heard.listens = nodes.map((node, i) => ({ node, selectors: selectors[i] || [] }));
  };
  const ask = (root) => {
    heard = { listens: [], closed: [] };
    // Adding it again changes nothing; document.open() takes it away.
    (root === document ? globalThis : root).addEventListener(CHANNEL + '-answer', hear, true);
    root.dispatchEvent(new Event(CHANNEL, { composed: root.mode !== 'closed' }));
    return heard;
  };

  // ---- closed shadow roots: the browser hands them over, see CdpPage::OpenShadowRoots ----
  const closedRoots = new WeakMap();  // host -> root, or null where there is none
  const HOSTS = new Set(['article', 'aside', 'blockquote', 'body', 'div', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6',
    'header', 'main', 'nav', 'p', 'section', 'span']);
  const drawsNothing = (el) => {
    const style = getComputedStyle(el);
    return style.backgroundImage === 'none' && style.backgroundColor === 'rgba(0, 0, 0, 0)' && style.borderTopWidth === '0px'
      && style.boxShadow === 'none' && getComputedStyle(el, '::before').content === 'none' && getComputedStyle(el, '::after').content === 'none';
  };
  // Declared in the page's source, a closed root shows only by what it draws: something where there
  // is no child, or nothing where there is one.
  const mayHideRoot = (el, tag) => {
    if (!HOSTS.has(tag) && !tag.includes('-')) return false;
    const child = firstElementChild(el);
    if (child === null && firstChild(el) !== null) return false;
    const r = box(el);
    if (r.width === 0 || r.height === 0) return false;
    if (child === null) return drawsNothing(el);
    const inner = box(child);
    return inner.width === 0 && inner.height === 0 && !checkVisibility(child);
  };

  // ---- which elements a listener makes clickable ----
  const LISTS = 'ul,ol,menu,table,tbody,thead,tfoot,[role=list],[role=listbox],[role=menu],[role=menubar],[role=tablist],[role=tree],[role=grid],[role=treegrid],[role=table],[role=rowgroup]';
  const ITEMS = 'li,tr,[role=listitem],[role=option],[role=menuitem],[role=tab],[role=treeitem],[role=row]';
  const NATIVE = 'a[href],area[href],button,input,select,textarea,summary,label,option';
  const hasPointer = (el) => getComputedStyle(el).cursor === 'pointer';
  // Elements that show the pointer themselves, not because something around them does.
  const pointedIn = (root) => {
    const found = [];
    for (const el of root.querySelectorAll('*')) {
      if (!hasPointer(el) || el.closest(NATIVE)) continue;
      const parent = parentNode(el);
      if (!(parent instanceof Element) || !hasPointer(parent)) found.push(el);
    }
    return found;
  };
  const selected = (root, selectors) => {
    const found = [];
    for (const selector of selectors) {
      try { found.push(...[...root.querySelectorAll(selector)].filter((el) => !el.closest(NATIVE))); } catch { /* no selector */ }
    }
    return found;
  };
  // A listener that asks for a selector is about what that selects; one on a list about its items; on a box around other targets, about those; on the
  // document, about what shows the pointer.
  const clickTargets = (root, listens) => {
    const targets = new Set();
    const addAll = (els) => { for (const el of els) targets.add(el); };
    for (const { node: el, selectors } of listens) {
      const chosen = selectors.length ? selected(el, selectors) : [];
      if (chosen.length) {
        addAll(chosen);
      } else if (!(el instanceof Element) || el === document.documentElement || el === document.body) {
        addAll(pointedIn(root));
      } else if (hasPointer(el)) {
        targets.add(el);
      } else if (matches(el, LISTS)) {
        const items = [...el.querySelectorAll(ITEMS)];
        const pointed = items.filter(hasPointer);
        addAll(pointed.length ? pointed : items);
      } else {
        const pointed = pointedIn(el);
        addAll(pointed);
        if (!pointed.length && !el.querySelector(NATIVE)) targets.add(el);
      }
    }
    return targets;
  };

  const isEditingHost = (el) => {
    const value = attr(el, 'contenteditable');
    return value !== null && ['', 'true', 'plaintext-only'].includes(value.toLowerCase());
  };
  // A label is clicked in place of a check box, radio button or file field that is not shown.
  const standsFor = (label) => {
    const control = controlOf(label);
    return control !== null && localName(control) === 'input' && ['checkbox', 'radio', 'file'].includes(control.type)
      && !matches(control, ':disabled') && !visible(control);
  };

  const isActionable = (el, tag, role) => {
    switch (tag) {
      case 'a': case 'area': if (hasAttr(el, 'href') || (el instanceof SVGElement && hasAttr(el, 'xlink:href'))) return true; break;
      case 'button': return el.closest('select') === null;  // there it is the select's own face
      case 'select': case 'textarea': return true;
      case 'input': return el.type !== 'hidden';
      case 'summary': if (matches(el, 'details > summary:first-of-type')) return true; break;
      case 'label': if (standsFor(el)) return true; break;
      case 'html': return false;
      case 'body': return isEditingHost(el) || document.designMode === 'on';
      default:
    }
    if (role !== '' && WIDGET.has(role)) return true;
    if (isEditingHost(el)) return true;
    const tabindex = attr(el, 'tabindex');
    if (tabindex !== null && parseInt(tabindex, 10) >= 0) return true;
    return HANDLERS.some((name) => hasAttr(el, name));
  };

  const headingLevel = (tag, role) => (/^h[1-6]$/.test(tag) ? true : role === 'heading');

  // The text node that is all there is in an element, wrapped or not.
  const soleText = (el) => {
    let node = firstChild(el);
    while (node && node.nodeType === 1 && !nextSibling(node) && !SKIPPED.has(localName(node))) node = firstChild(node);
    return node && node.nodeType === 3 && !nextSibling(node) ? node : null;
  };
  // Visible text of a container, without walking more of it than needed.
  const leadingText = (el, limit) => {
    const sole = soleText(el);
    if (sole) return checkVisibility(parentNode(sole), { checkVisibilityCSS: true }) ? orNull(sole.data, limit) : null;
    const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    let out = '';
    for (let n = 0, node = walker.nextNode(); node && n < 400 && out.length < limit; node = walker.nextNode(), n++) {
      const parent = parentNode(node);
      if (!parent || !/\S/.test(node.data)) continue;
      if (SKIPPED.has(localName(parent)) || !checkVisibility(parent, { checkVisibilityCSS: true })) continue;
      out += (out === '' ? '' : ' ') + squeeze(cut(node.data, limit));
    }
    return orNull(out, limit);
  };

  // A label names its control; what the control itself holds (options, a button's text) is not part
  // of that.
  const labelText = (label) => {
    const whole = innerText(label);
    if (!label.querySelector('select,textarea,button')) return whole;
    const walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    const parts = [];
    for (let node = walker.nextNode(); node && parts.length < 100; node = walker.nextNode()) {
      const parent = parentNode(node);
      if (parent.closest('select,textarea,button') || !checkVisibility(parent, { checkVisibilityCSS: true })) continue;
      parts.push(node.data);
    }
    return parts.join('');
  };

  // What tells one row or list item from its siblings: heading, row header, first link, first text.
  const rowKeys = (el, shown) => {
    const sources = [];
    for (const selector of ['h1,h2,h3,h4,h5,h6,[role=heading]', 'th[scope=row],[role=rowheader]', 'a[href]']) {
      const found = el.querySelector(selector);
      if (found && (shown.has(found) || visible(found))) sources.push({ el: found, text: leadingText(found, 120) });
    }
    const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    for (let n = 0, node = walker.nextNode(); node && n < 100; node = walker.nextNode(), n++) {
      const parent = parentNode(node);
      if (!/\S/.test(node.data) || SKIPPED.has(localName(parent)) || parent.closest('button,select,textarea,option')) continue;
      if (!checkVisibility(parent, { checkVisibilityCSS: true })) continue;
      sources.push({ el: parent, text: orNull(node.data, 120) });
      if (sources.length >= 6) break;
    }
    return sources.filter((source) => source.text !== null);
  };

  // A row's key must not be the target itself: an Edit link does not name its row.
  const keyFor = (keys, el) => {
    for (const source of keys) if (!composedContains(el, source.el)) return source.text;
    return null;
  };
  const rowKeyNow = (row, el) => keyFor(rowKeys(row, new Set()), el);

  const containerKind = (tag, role, el) => {
    const kinds = [];
    if (role === 'dialog' || role === 'alertdialog' || attr(el, 'aria-modal') === 'true' || (tag === 'dialog' && hasAttr(el, 'open'))) kinds.push('dialog');
    if (tag === 'form' || role === 'form') kinds.push('form');
    if (['section', 'article', 'main'].includes(tag) || role === 'region' || role === 'article') kinds.push('section');
    if (role === 'row' || (tag === 'tr' && role === '')) kinds.push('row');
    if (LANDMARK.has(role) || (role === '' && ['nav', 'aside', 'header', 'footer', 'main', 'search'].includes(tag))) kinds.push('landmark');
    if (role === 'listitem' || (tag === 'li' && role === '')) kinds.push('listitem');
    return kinds;
  };
  const KIND_ORDER = ['dialog', 'form', 'section', 'row', 'landmark', 'listitem'];

  const count = (map, key) => map.set(key, (map.get(key) || 0) + 1);

  const hostName = (el) => {
    const id = attr(el, 'id');
    return localName(el) + (id ? '#' + cut(id, 80) : '');
  };
  const describe = (el) => {
    if (!el) return 'nothing';
    const id = attr(el, 'id');
    const cls = attr(el, 'class');
    return localName(el) + (id ? '#' + cut(id, 80) : cls ? '.' + cut(cls.trim().split(/\s+/)[0], 80) : '');
  };

  // Inclusive ancestor across shadow borders.
  const composedContains = (outer, inner) => {
    for (let node = inner; node; node = parentNode(node) || node.host || null) if (node === outer) return true;
    return false;
  };
  // The same as the page is drawn: slotted content is in its slot.
  const flatContains = (outer, inner) => {
    for (let node = inner; node; node = (node instanceof Element && assignedSlot(node)) || parentNode(node) || node.host || null) if (node === outer) return true;
    return false;
  };
  let topModal = null;  // as the last snapshot found it
  const isInert = (el) => {
    if (topModal && isConnected(topModal) && !flatContains(topModal, el)) return true;
    for (let node = el; node; node = parentNode(node) || node.host || null) if (node instanceof Element && hasAttr(node, 'inert')) return true;
    return false;
  };
  // What the point hits, seen from the element's own tree.
  const hitAt = (el, x, y) => {
    const root = el.getRootNode ? N.getRootNode.call(el) : document;
    return (root.elementFromPoint ? root : document).elementFromPoint(x, y);
  };
  const receives = (el, x, y) => {
    const hit = hitAt(el, x, y);
    if (hit && (composedContains(el, hit))) return { ok: true, blocker: '' };
    // A label forwards its clicks to its control.
    if (hit && el.labels && [...el.labels].some((label) => contains(label, hit)) && localName(el) === 'input') return { ok: true, blocker: '' };
    if (localName(el) === 'area') return { ok: true, blocker: '' };
    return { ok: false, blocker: describe(hit) };
  };
  const centreOf = (r) => ({ x: r.left + r.width / 2, y: r.top + r.height / 2 });
  const centre = (el) => centreOf(place(el));
  const inViewport = (p) => p.x >= 0 && p.y >= 0 && p.x < innerWidth && p.y < innerHeight;

  const isEnabled = (el) => !matches(el, ':disabled') && attr(el, 'aria-disabled') !== 'true';
  const isEditable = (el, tag) => {
    if (tag === 'textarea') return !el.readOnly;
    if (tag === 'input') return EDITABLE_TYPES.has(el.type) && !el.readOnly;
    return el.isContentEditable === true;
  };

  const formFacts = (el) => {
    const form = 'form' in el && el.form instanceof HTMLFormElement ? el.form : null;
    if (!form) return null;
    const F = HTMLFormElement.prototype;
    const own = (name) => (hasAttr(el, name) ? attr(el, name) : null);
    return {
      method: (own('formmethod') || getter(F, 'method')(form) || 'get').toLowerCase(),
      action: own('formaction') !== null ? new URL(own('formaction') || '', document.baseURI).href : getter(F, 'action')(form),
    };
  };

  const isSecret = (el, tag) => tag === 'input' && (el.type === 'password'
    || /(^|[\s-])(one-time-code|cc-[a-z-]+|current-password|new-password)([\s-]|$)/i.test(attr(el, 'autocomplete') || ''));

  const surface = (el, tag) => {
    if (!['input', 'select', 'textarea'].includes(tag) && !el.isContentEditable) return null;
    if (tag === 'input' && ['button', 'submit', 'reset', 'image'].includes(el.type)) return null;
    const text = (name) => (hasAttr(el, name) ? cut(attr(el, name), 4096) : null);
    const number = (value) => (Number.isFinite(value) && value >= 0 ? value : null);
    const form = formFacts(el);
    return {
      name: text('name'), id: text('id'), inputType: tag === 'input' ? el.type : tag === 'select' || tag === 'textarea' ? tag : 'contenteditable',
      required: el.required === true || attr(el, 'aria-required') === 'true',
      readonly: el.readOnly === true, disabled: matches(el, ':disabled'), multiple: el.multiple === true,
      secret: isSecret(el, tag), pattern: text('pattern'), min: text('min'), max: text('max'), step: text('step'),
      accept: text('accept'), autocomplete: text('autocomplete'),
      minLength: number(el.minLength), maxLength: number(el.maxLength),
      options: tag === 'select' ? Array.from(el.options).slice(0, 500).map((o) => ({
        label: cut(squeeze(o.label || ''), 256), value: cut(o.value, 256), disabled: o.disabled, selected: o.selected,
      })) : [],
      formMethod: form ? form.method : null, formAction: form ? form.action : null,
    };
  };

  const tokens = (value) => (value ? cut(String(value), 2048).split(/\s+/).filter(Boolean).slice(0, 32) : []);
  const iconTokens = (el) => {
    if (firstElementChild(el) === null) return [];
    const out = [];
    for (const child of el.querySelectorAll('i,svg,use,img,span')) {
      if (out.length >= 16) break;
      const tag = localName(child);
      if (tag === 'use') out.push(cut(attr(child, 'href') || attr(child, 'xlink:href') || '', 120));
      else if (tag === 'img') out.push(cut((attr(child, 'src') || '').split(/[?#]/)[0].split('/').pop(), 120), cut(attr(child, 'alt') || '', 120));
      else if (tag !== 'span' || squeeze(textContent(child)) === '') out.push(...tokens(attr(child, 'class')), ...tokens(attr(child, 'data-icon')));
    }
    return out.filter(Boolean).slice(0, 16);
  };
  const hints = (el, tag, href) => {
    const form = formFacts(el);
    const requests = [];
    for (const name of attrNames(el)) {
      if (/^(data-)?hx-|^data-(method|remote|confirm|turbo-method|action|url|href|bs-dismiss)$|^up-|^ajax|^formaction$/.test(name)) requests.push([name, cut(attr(el, name) || '', 512)]);
    }
    return lean({
      effectiveType: tag === 'button' || tag === 'input' ? el.type : '',
      inForm: form !== null, formMethod: form ? form.method : '', formAction: form ? form.action : '',
      download: hasAttr(el, 'download'), rel: attr(el, 'rel') || '',
      href,
      classTokens: tokens(attr(el, 'class')), iconTokens: iconTokens(el), requests,
      title: cut(attr(el, 'title') || '', 256), description: cut(attr(el, 'aria-description') || '', 256),
      reveals: hasAttr(el, 'aria-haspopup') || hasAttr(el, 'aria-expanded') || hasAttr(el, 'aria-controls') || tag === 'summary',
    });
  };

  // Where a link leads, absolute; empty where there is no link. It costs the browser a URL parse.
  const hrefOf = (el, tag) => ((tag === 'a' || tag === 'area') && hasAttr(el, 'href') ? String(el.href) : '');
  // Path, query and fragment of an absolute URL, without an empty query or fragment.
  const PATH = /^(?:https?|file):\/\/[^/?#]*([^?#]*)(\?[^#]+)?\??(#.+)?#?$/s;
  const pathOf = (href) => {
    const parts = PATH.exec(href);
    return parts && cut(parts[1] + (parts[2] || '') + (parts[3] || ''), 512);
  };
  // The identifiers an element carries, strongest first.
  const idsOf = (el, tag, href) => {
    const ids = [];
    for (const name of TEST_IDS) if (hasAttr(el, name) && attr(el, name) !== '') ids.push(['testId', name, cut(attr(el, name), 256)]);
    const id = attr(el, 'id');
    if (id) ids.push(['domId', '', cut(id, 256)]);
    if (['input', 'select', 'textarea', 'button'].includes(tag) && attr(el, 'name')) ids.push(['controlName', '', cut(attr(el, 'name'), 256)]);
    const path = href === '' ? null : pathOf(href);
    if (path) ids.push(['href', '', path]);
    return ids;
  };

  // The same of one element, at this moment.
  const idsNow = (el) => {
    const tag = localName(el);
    return JSON.stringify(idsOf(el, tag, hrefOf(el, tag)));
  };

  const EMPTY_ROLE = {
    summary: 'button', input: 'textbox', label: 'generic', svg: 'img', canvas: 'img', table: 'table', tr: 'row', td: 'cell',
    a: 'link', button: 'button', select: 'combobox', textarea: 'textbox',
  };
  // Chromium has neither role nor name for what content-visibility: auto leaves out until it is
  // scrolled to.
  const unrendered = (el) => {
    const tag = localName(el);
    const labels = [...el.labels || []].map((label) => textContent(label));
    const role = roleAttr(el) || (tag === 'input' && { checkbox: 'checkbox', radio: 'radio', submit: 'button', button: 'button', reset: 'button', image: 'button', range: 'slider', number: 'spinbutton', search: 'searchbox', file: 'button' }[el.type]) || EMPTY_ROLE[tag] || '';
    const value = tag === 'input' && role === 'button' ? el.value : ['input', 'select', 'textarea'].includes(tag) ? '' : textContent(el);
    const name = [attr(el, 'aria-label'), labels.join(' '), attr(el, 'alt'), value, attr(el, 'title')].map((text) => squeeze(text || '')).find((text) => text !== '');
    return { role, name: name || '' };
  };
  const isUnrendered = (el, role) => role === '' && !checkVisibility(el, { contentVisibilityAuto: true }) && checkVisibility(el);
  const orOwnRole = (el, role) => role || roleAttr(el) || EMPTY_ROLE[localName(el)] || '';
  // The browser's own role and name: properties of elements where it was started with them, else
  // what the console of its developer tools offers, in the same time.
  const OWN = 'computedRole' in E;
  const browserRole = (el) => (OWN ? el.computedRole : topodb.devtools.role(el)) || '';
  const browserName = (el) => {
    if (OWN) return el.computedName || '';
    // The console knows no name of what has no box of its own.
    return topodb.devtools.name(el) || (localName(el) === 'area' ? unrendered(el).name : '');
  };
  const computedRole = (el) => {
    const role = browserRole(el);
    return isUnrendered(el, role) ? unrendered(el).role : orOwnRole(el, role);
  };
  const computed = (el) => {
    const role = browserRole(el);
    if (isUnrendered(el, role)) return unrendered(el);
    let name = browserName(el);
    // Chromium adds what is chosen: "Picture: No file chosen".
    if (localName(el) === 'input' && el.type === 'file') name = name.slice(0, Math.max(0, name.lastIndexOf(': ')));
    return { role: orOwnRole(el, role), name: name.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '') };
  };

  // What a frame's element says of it: its name in paths, and where its own viewport begins.
  const frameFacts = (el) => {
    const r = box(el);
    const style = getComputedStyle(el);
    let src = '';
    try { const url = new URL(el.src, document.baseURI); src = url.protocol === 'about:' ? '' : url.pathname; } catch { /* no path */ }
    return {
      path: cut(attr(el, 'name') || attr(el, 'id') || src || 'iframe', 120), visible: visible(el) && !isInert(el),
      x: r.left + el.clientLeft + parseFloat(style.paddingLeft || '0'), y: r.top + el.clientTop + parseFloat(style.paddingTop || '0'),
    };
  };

  class Collector {
    constructor(options) {
      this.options = options;
      this.nodes = []; this.marks = []; this.containers = []; this.semantics = []; this.frames = [];
      this.idCounts = new Map(); this.textCounts = new Map(); this.placeholderCounts = new Map();
      this.titleCounts = new Map(); this.altCounts = new Map(); this.labelCounts = new Map();
      this.formHash = new Hasher(); this.truncated = []; this.modals = []; this.frameElements = [];
      this.clickable = new Set(); this.unopened = []; this.checked = new Set(); this.roles = new Map(); this.shown = new Set(); this.labels = new Map();
    }

    // What script did to the tree that begins here.
    enterTree(root) {
      const { listens, closed } = ask(root);
      for (const el of clickTargets(root, listens)) this.clickable.add(el);
      for (const host of closed) this.unknown(host);
    }

    // A host whose root the browser has to hand over; bounded, because each costs a command.
    unknown(host) {
      if (closedRoots.has(host) || this.checked.has(host) || this.unopened.length >= 200) return;
      this.checked.add(host);
      this.unopened.push(host);
    }

    shadowOf(el, tag) {
      const open = shadowRootOf(el);
      if (open) return open;
      const known = closedRoots.get(el);
      if (known === undefined && mayHideRoot(el, tag)) this.unknown(el);
      return known || null;
    }

    // Depth first, shadow tree before light children, without recursion: documents can be deep.
    walk() {
      const top = { container: -1, semantic: -1, shadow: [], inert: false };
      const root = document.documentElement;
      const done = { hashes: [] };
      const stack = root ? [{ next: root, ctx: top, el: null, hashes: done.hashes, only: true }] : [];
      this.enterTree(document);
      while (stack.length) {
        const level = stack[stack.length - 1];
        const el = level.next;
        if (!el) {
          stack.pop();
          if (level.el) level.parent.push(this.templateOf(level.el, level.hashes));
          continue;
        }
        level.next = level.only ? null : nextElementSibling(el);
        const ctx = this.enter(el, level.ctx);
        if (!ctx) continue;
        const hashes = [];
        stack.push({ next: firstElementChild(el), ctx, el, hashes, parent: level.hashes });
        const shadow = this.shadowOf(el, localName(el));
        if (shadow) this.enterTree(shadow);
        if (shadow) stack.push({ next: fragmentFirst(shadow), ctx: { ...ctx, shadow: [...ctx.shadow, hostName(el)] }, el: null, hashes });
      }
      this.template = done.hashes;
    }

    // Tag, role and the children's structure, runs of equal siblings counted once.
    templateOf(el, hashes) {
      const h = new Hasher().string(localName(el)).string(roleAttr(el));
      let last = null;
      for (const hash of hashes) {
        if (last !== null && hash.a === last.a && hash.b === last.b) continue;
        last = hash;
        h.number(hash.a).number(hash.b);
      }
      return h;
    }

    enter(el, ctx) {
      const tag = localName(el);
      if (SKIPPED.has(tag) || (tag !== 'html' && hasAttr(el, 'inert'))) return null;
      const role = roleAttr(el);
      const features = this.countFeatures(el, tag);
      if (tag === 'label') this.label(el);
      let next = ctx;
      const kinds = containerKind(tag, role, el);
      if (kinds.length) {
        this.containers.push({ el, kinds, parent: ctx.container });
        next = { ...next, container: this.containers.length - 1 };
        if (kinds.includes('dialog') && visible(el)) this.mark(el, 'dialog', ctx, features);
        else if (kinds.includes('landmark')) this.mark(el, 'landmark', ctx, features);
      }
      if (role !== '' || SEMANTIC_TAG.has(tag)) {
        this.semantics.push({ el, parent: ctx.semantic });
        next = { ...next, semantic: this.semantics.length - 1 };
      }
      if (tag === 'dialog' && matches(el, ':modal')) this.modals.push(el);
      if (headingLevel(tag, role)) this.mark(el, 'heading', ctx, features);
      else if (role === 'alert' || role === 'status' || tag === 'output') this.mark(el, 'status', ctx, features);
      if (tag === 'iframe' || tag === 'frame') this.frame(el);
      if (isActionable(el, tag, role) || this.clickable.has(el)) this.node(el, tag, next === ctx ? ctx : { ...next, container: ctx.container, semantic: ctx.semantic }, features);
      return next;
    }

    countFeatures(el, tag) {
      const own = this.ownText(el);
      if (own !== null) count(this.textCounts, own);
      if (!hasAttrs(el)) return { own, ids: [], href: '' };
      const href = hrefOf(el, tag);
      const ids = idsOf(el, tag, href);
      for (const [kind, name, value] of ids) count(this.idCounts, kind + '\n' + name + '\n' + value);
      const placeholder = attr(el, 'placeholder'); if (placeholder) count(this.placeholderCounts, squeeze(placeholder));
      const title = attr(el, 'title'); if (title) count(this.titleCounts, squeeze(title));
      const alt = attr(el, 'alt'); if (alt) count(this.altCounts, squeeze(alt));
      return { own, ids, href };
    }

    // The text of an element that has text of its own, as a text locator sees it.
    ownText(el) {
      let has = false;
      for (let child = firstChild(el); child && !has; child = nextSibling(child)) has = child.nodeType === 3 && /\S/.test(child.data);
      if (!has) return null;
      const text = textContent(el);
      if (text.length > 400) return null;
      const clean = squeeze(text);
      return clean.length > 0 && clean.length <= 80 ? clean : null;
    }

    // The browser goes through the whole document for each control that is asked for its labels.
    label(el) {
      const control = controlOf(el);
      if (control === null) return;
      const labels = this.labels.get(control);
      if (labels) labels.push(el); else this.labels.set(control, [el]);
    }

    mark(el, kind, ctx, { ids }) {
      if (this.marks.length < 400 && visible(el)) this.marks.push({ el, kind, ctx, ids });
    }

    frame(el) {
      let index = -1;
      for (let i = 0; i < window.length && index < 0; i++) if (window[i] === el.contentWindow) index = i;
      this.frames.push({ index, ...frameFacts(el) });
      this.frameElements.push(el);
    }

    node(el, tag, ctx, features) {
      const shown = visibleBox(el);
      if (shown === null) { this.formState(el, tag); return; }
      if (this.nodes.length >= this.options.maxElements) {
        if (!this.truncated.includes('elements')) this.truncated.push('elements');
        return;
      }
      this.formState(el, tag);
      this.nodes.push({ el, tag, ctx, box: shown, ...features });
      this.shown.add(el);
    }

    // Presence of a value, checked, selected: never the value.
    formState(el, tag) {
      if (isSecret(el, tag)) this.formHash.string('secret');
      else if (tag === 'input') this.formHash.string(el.type).number(el.checked ? 1 : 0).number(['checkbox', 'radio', 'submit', 'button', 'reset', 'image'].includes(el.type) || el.value === '' ? 0 : 1);
      else if (tag === 'textarea') this.formHash.string('textarea').number(el.value === '' ? 0 : 1);
      else if (tag === 'select') this.formHash.string('select').number(el.selectedIndex);
    }

    // An open modal dialog makes inert what is not in it; of several the topmost does.
    leaveInert() {
      if (this.modals.length === 0) return;
      const hit = document.elementFromPoint(0, 0);
      topModal = this.modals.find((modal) => hit && flatContains(modal, hit)) || this.modals[this.modals.length - 1];
      this.nodes = this.nodes.filter((node) => flatContains(topModal, node.el));
      this.frames.forEach((frame, i) => { frame.visible = frame.visible && flatContains(topModal, this.frameElements[i]); });
    }

    geometry() {
      for (const node of this.nodes) {
        const p = centreOf(node.box);
        node.receives = { ok: true, blocker: '' };
        node.tested = inViewport(p);
        if (node.tested) node.receives = receives(node.el, p.x, p.y);
      }
    }

    names() {
      for (const list of [this.nodes, this.marks]) for (const item of list) Object.assign(item, computed(item.el));
      const used = new Set();
      for (const { ctx } of [...this.nodes, ...this.marks]) {
        for (let i = ctx.semantic; i >= 0 && !used.has(i); i = this.semantics[i].parent) used.add(i);
      }
      for (const i of used) this.nameSemantic(this.semantics[i]);
      const containers = new Set();
      for (const { ctx } of this.nodes) for (let i = ctx.container; i >= 0 && !containers.has(i); i = this.containers[i].parent) containers.add(i);
      for (const i of containers) this.nameContainer(this.containers[i]);
      for (const node of this.nodes) {
        const labels = this.labels.get(node.el) || [];
        node.label = labels.length ? orNull(labels.map(labelText).join(' '), 1024) : null;
        // A locator would compare the whole text, so one that was shortened locates nothing.
        node.labelLocates = node.label !== null && node.label === orNull(labels.map((l) => innerText(l)).join(' '), 1024);
        if (node.labelLocates) count(this.labelCounts, node.label);
      }
    }

    nameSemantic(item) {
      item.role = this.role(item.el);
      item.kept = KEPT.has(item.role) || KEPT_UNNAMED.has(item.role);
      item.name = KEPT.has(item.role) ? orNull(computed(item.el).name, 256) : null;
    }

    nameContainer(item) {
      item.role = this.role(item.el);
      item.used = true;
      item.repeated = item.kinds.includes('row') || item.kinds.includes('listitem');
      item.name = orNull(item.repeated ? attr(item.el, 'aria-label') : computed(item.el).name, 240);
      item.text = leadingText(item.el, 240);
      item.keys = item.repeated ? rowKeys(item.el, this.shown) : [];
    }

    // An element can be both a container and a part of the ancestry.
    role(el) {
      const known = this.roles.get(el);
      if (known !== undefined) return known;
      const role = computedRole(el);
      this.roles.set(el, role);
      return role;
    }

    chain(ctx) {
      const out = [];
      for (let i = ctx.container; i >= 0; i = this.containers[i].parent) out.push(i);
      return out;
    }

    countRoles() {
      this.roleCounts = new Map(); this.roleInContainer = new Map(); this.siblings = new Map(); this.regions = new Map();
      for (const node of this.nodes) {
        const key = node.role + '\n' + node.name;
        node.position = this.roleCounts.get(key) || 0;
        count(this.roleCounts, key);
        node.chain = this.chain(node.ctx);
        for (const i of node.chain) count(this.roleInContainer, i + '\n' + key);
        let parent = node.ctx.semantic;
        while (parent >= 0 && !this.semantics[parent].kept) parent = this.semantics[parent].parent;
        node.sibling = this.siblings.get(parent + '\n' + node.role) || 0;
        count(this.siblings, parent + '\n' + node.role);
        const region = node.chain.find((i) => this.containers[i].kinds.includes('landmark') || this.containers[i].kinds.includes('dialog'));
        node.region = region === undefined ? '' : this.containers[region].role + (this.containers[region].name ? ' ' + this.containers[region].name : '');
        node.regionOrder = this.regions.get(region) || 0;
        count(this.regions, region);
      }
      // How many containers of a kind are called the same.
      this.containerCounts = new Map();
      for (const container of this.containers) {
        if (!container.used) continue;
        for (const kind of container.kinds) {
          const names = container.repeated ? new Set(container.keys.map((source) => source.text)) : [container.name];
          for (const name of names) count(this.containerCounts, kind + '\n' + container.role + '\n' + name);
        }
      }
    }

    contextOf(node) {
      const found = new Map();
      for (const i of node.chain) for (const kind of this.containers[i].kinds) if (!found.has(kind)) found.set(kind, i);
      return KIND_ORDER.filter((kind) => found.has(kind)).map((kind) => {
        const i = found.get(kind);
        const container = this.containers[i];
        const key = container.repeated ? keyFor(container.keys, node.el) : null;
        return lean({
          kind, role: container.role, name: container.name, text: container.text, key,
          inside: this.roleInContainer.get(i + '\n' + node.role + '\n' + node.name) || 0,
          same: this.containerCounts.get(kind + '\n' + container.role + '\n' + (container.repeated ? key : container.name)) || 0,
        });
      });
    }

    // What act.js needs to tell whether a node is still for the same thing: the node's own ids, its
    // row, and the dialogs and landmarks around it.
    hold({ el, role, name, ids, chain }) {
      const around = (...kinds) => chain.map((i) => this.containers[i]).filter((item) => item.kinds.some((kind) => kinds.includes(kind)));
      const row = around('row')[0] || around('listitem')[0];
      const titleOf = (dialog) => { dialog.title ??= computed(dialog.el).name; return dialog.title; };
      return {
        el, role, name, ids: JSON.stringify(ids),
        row: row ? { el: row.el, key: keyFor(row.keys, el) } : null,
        places: around('dialog', 'landmark').map((item) => ({ el: item.el, dialog: item.kinds.includes('dialog') ? titleOf(item) : null })),
      };
    }

    ancestry(ctx) {
      const out = [];
      for (let i = ctx.semantic; i >= 0 && out.length < 16; i = this.semantics[i].parent) {
        const item = this.semantics[i];
        if (item.kept) out.push(lean({ role: item.role, name: item.name }));
      }
      return out;
    }

    idFacts(ids) {
      return ids.map(([kind, name, value]) => [kind, name, value, this.idCounts.get(kind + '\n' + name + '\n' + value) || 1]);
    }

    stateFacts(el, tag) {
      const checked = tag === 'input' && ['checkbox', 'radio'].includes(el.type) ? el.checked : hasAttr(el, 'aria-checked') ? attr(el, 'aria-checked') === 'true' : null;
      const parent = parentNode(el);
      const expanded = hasAttr(el, 'aria-expanded') ? attr(el, 'aria-expanded') === 'true' : tag === 'summary' && parent instanceof HTMLDetailsElement ? parent.open : null;
      return { disabled: !isEnabled(el), editable: isEditable(el, tag), checked, expanded, inputType: tag === 'input' ? el.type : '' };
    }

    exportNode(node) {
      const { el, tag } = node;
      const attributes = [];
      for (const name of attrNames(el)) if (STABLE.has(name)) attributes.push([name, cut(attr(el, name) || '', 4096)]);
      const controlText = ['input', 'select', 'textarea'].includes(tag);
      const placeholder = orNull(attr(el, 'placeholder'), 1024);
      const text = controlText ? null : orNull(el instanceof HTMLElement ? innerText(el) : textContent(el), this.options.maxText);
      const title = orNull(attr(el, 'title'), 1024);
      const alt = orNull(attr(el, 'alt'), 1024);
      const get = (map, key) => (key === null ? 0 : map.get(key) || 0);
      const context = this.contextOf(node);
      const row = context.find((c) => c.kind === 'row' || c.kind === 'listitem');
      return lean({
        tag, role: node.role, name: cut(node.name, this.options.maxName), text, label: node.label, placeholder, title, alt, attributes,
        box: [node.box.x, node.box.y, node.box.width, node.box.height], shadow: node.ctx.shadow,
        enabled: isEnabled(el), editable: isEditable(el, tag), receives: node.receives.ok, tested: node.tested, blocker: node.receives.blocker,
        context, surface: surface(el, tag), hints: hints(el, tag, node.href),
        counts: lean({
          role: get(this.roleCounts, node.role + '\n' + node.name), position: node.position, label: node.labelLocates ? get(this.labelCounts, node.label) : 0,
          placeholder: get(this.placeholderCounts, placeholder), text: get(this.textCounts, node.own),
          title: get(this.titleCounts, title), alt: get(this.altCounts, alt),
        }),
        ids: this.idFacts(node.ids), ancestry: this.ancestry(node.ctx), rowKey: row ? row.key : null,
        sibling: node.sibling, region: node.region, regionOrder: node.regionOrder, state: this.stateFacts(el, tag),
        invalid: attr(el, 'aria-invalid') === 'true' || (controlText && matches(el, ':user-invalid')),
        truncated: [...(node.name.length > this.options.maxName ? ['accessibleName'] : []), ...(text !== null && text.length >= this.options.maxText ? ['text'] : [])],
      });
    }

    exportMark(mark) {
      const { el, kind } = mark;
      const name = kind === 'status' ? leadingText(el, 256) : orNull(mark.name, 256);
      const role = kind === 'dialog' && mark.role === 'generic' ? 'dialog' : mark.role;
      return { kind, role, name, shadow: mark.ctx.shadow, ids: this.idFacts(mark.ids), ancestry: this.ancestry(mark.ctx), modal: kind === 'dialog' };
    }

    page() {
      const root = document.documentElement;
      const focused = document.activeElement;
      return {
        url: location.href, title: cut(document.title, 1024), language: (root && attr(root, 'lang')) || null,
        width: innerWidth, height: innerHeight,
        domHash: root ? new Hasher().string(root.outerHTML).hex() : '',
        textHash: document.body ? new Hasher().string(squeeze(innerText(document.body))).hex() : '',
        formHash: this.formHash.hex(), template: this.template.length ? this.template[0].hex() : '',
        windows: window.length,
        focused: focused ? this.nodes.findIndex((node) => node.el === focused) : -1,
        frames: this.frames, truncated: this.truncated, unopened: this.unopened.length,
      };
    }
  }

  const topodb = { held: [], generation: -1, unopened: [], owners: [], devtools: null };
  // Shared with act.js, which is installed after this file.
  topodb.lib = { attr, hasAttr, box: place, centre, inViewport, receives, composedContains, computed, describe, isConnected, isEnabled, visible, localName, hitAt, idsNow, rowKeyNow };

  topodb.snapshot = (options) => {
    try {
      topModal = null;
      const collector = new Collector(options);
      collector.walk();
      collector.leaveInert();
      collector.geometry();
      collector.names();
      collector.countRoles();
      topodb.generation = options.generation;
      topodb.unopened = collector.unopened;
      topodb.owners = [];
      topodb.held = [...collector.nodes.map((n) => collector.hold(n)), ...collector.marks.map((m) => ({ el: m.el, role: m.role, name: m.name }))];
      return { ok: true, ...collector.page(), nodes: collector.nodes.map((n) => collector.exportNode(n)), marks: collector.marks.map((m) => collector.exportMark(m)) };
    } catch (error) {
      return { ok: false, reason: String(error && error.stack || error) };
    }
  };
  topodb.placeOf = (el) => ({ owner: topodb.owners.push(el) - 1, ...frameFacts(el) });
  topodb.open = (...roots) => topodb.unopened.forEach((host, i) => closedRoots.set(host, roots[i] || null));

  Object.defineProperty(globalThis, 'topodb', { value: topodb });
})();
