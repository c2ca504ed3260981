// What a page offers, read with one query, and the locators a tester would write for each element.

const SELECTOR =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"], ' +
  '[role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox], [role=switch]';

// Runs in the page, so it uses nothing from outside.
function describeAll(selector) {
  const clean = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
  const roles = { A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox' };
  const inputRoles = { checkbox: 'checkbox', radio: 'radio', submit: 'button', button: 'button' };
  const roleOf = (el) => el.getAttribute('role') ??
    (el.tagName === 'INPUT' ? inputRoles[el.type] ?? 'textbox' : roles[el.tagName] ?? null);
  const labelOf = (el) => clean(el.labels?.[0]?.innerText);
  return [...document.querySelectorAll(selector)]
    .filter((el) => el.checkVisibility({ visibilityProperty: true }) && el.getClientRects().length)
    .map((el) => {
      const box = el.getBoundingClientRect();
      return {
        tag: el.tagName.toLowerCase(),
        role: roleOf(el),
        name: clean(el.getAttribute('aria-label')) || labelOf(el) || clean(el.innerText),
        text: clean(el.innerText),
        label: labelOf(el),
        placeholder: el.getAttribute('placeholder'),
        testId: el.getAttribute('data-testid'),
        id: el.id,
        type: el.getAttribute('type'),
        inForm: el.closest('form') !== null,
        enabled: !el.matches(':disabled, [aria-disabled=true]'),
        box: { x: box.x, y: box.y, width: box.width, height: box.height },
      };
    });
}

// Best first.
function locatorsOf(element) {
  const { role, name, text, label, placeholder, testId, id } = element;
  const locators = [];
  const add = (how, make) => locators.push({ how, make });
  if (role && name) add('role', (page) => page.getByRole(role, { name, exact: true }));
  if (label) add('label', (page) => page.getByLabel(label, { exact: true }));
  if (testId) add('testId', (page) => page.getByTestId(testId));
  if (placeholder) add('placeholder', (page) => page.getByPlaceholder(placeholder, { exact: true }));
  if (text && text.length <= 80) add('text', (page) => page.getByText(text, { exact: true }));
  if (id) add('id', (page) => page.locator(`[id=${JSON.stringify(id)}]`));
  return locators;
}

// Does the locator mean this element, and only it? One query counts, one compares.
async function verify(page, element, { make }) {
  const locator = make(page);
  if ((await locator.count()) !== 1) return false;
  return locator.evaluate(
    (el, want) => {
      const box = el.getBoundingClientRect();
      return el.tagName.toLowerCase() === want.tag && box.x === want.box.x && box.y === want.box.y &&
        (el.innerText ?? '').replace(/\s+/g, ' ').trim() === want.text;
    },
    { tag: element.tag, text: element.text, box: element.box },
  );
}

// The elements of the page, each with the locators that were found to mean it alone.
export async function takeInventory(page) {
  const elements = await page.evaluate(describeAll, SELECTOR);
  for (const element of elements) {
    element.locators = [];
    for (const locator of locatorsOf(element)) {
      if (await verify(page, element, locator)) element.locators.push(locator);
    }
  }
  const text = await page.evaluate(() => document.body.innerText);
  return { url: page.url(), text, elements };
}
