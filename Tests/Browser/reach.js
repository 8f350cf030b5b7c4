// What every page must hold for every reader (WCAG 2.2 AA, as far as a script can see): answers the faults.
(isForced) => {
  const faults = [];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const isShown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !node.closest('[aria-hidden=true], .unshown, [hidden]');
  const describe = (node) => `${node.tagName.toLowerCase()}${node.id ? `#${node.id}` : ''}.${node.className?.baseVal ?? node.className} '${(node.textContent || node.value || '').trim().slice(0, 40)}'`;
  const nameOf = (node) => {
    const by = node.getAttribute('aria-labelledby');
    if (by) return by.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim();
    const label = node.labels?.length ? [...node.labels].map((one) => one.textContent).join(' ') : '';
    return (node.getAttribute('aria-label') ?? '').trim() || label.trim() || (node.matches('input, textarea, select') ? node.title : node.textContent.trim() || node.title);
  };
  if (document.documentElement.lang !== 'en') faults.push('no language');
  if (!document.title) faults.push('no title');
  if (all('h1').filter(isShown).length !== 1) faults.push(`${all('h1').length} headings of level 1`);
  let level = 1;
  for (const heading of all('h1, h2, h3, h4').filter(isShown)) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) faults.push(`a level of headings is left out at ${describe(heading)}`);
    level = own;
  }
  for (const landmark of ['main', 'header', 'nav']) if (all(`body > ${landmark}, .page > ${landmark}`).length !== 1) faults.push(`not one ${landmark}`);
  const ids = all('[id]').map(({ id }) => id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) faults.push(`the id ${id} stands twice`);
  for (const node of all('button, a[href], input, select, textarea, summary, dialog, [role=region]').filter(isShown)) {
    if (!nameOf(node)) faults.push(`no name: ${describe(node)}`);
  }
  for (const table of all('table').filter(isShown)) {
    if (!table.caption) faults.push(`no caption: ${describe(table)}`);
    for (const head of all('th', table)) if (!head.scope) faults.push(`no scope: ${describe(head)}`);
    if (all('[aria-sort]', table).length > 1) faults.push('more than one sorted column');
  }
  // Targets: 24 px, or room of 24 px around a smaller one (what lies in running text is exempt).
  for (const node of all('button, a[href], input, select, summary').filter(isShown)) {
    if (node.closest('p, td, th, li, dd, .tree') && node.matches('a')) continue;
    const box = node.matches('input') && node.closest('label') ? node.closest('label').getBoundingClientRect() : node.getBoundingClientRect();
    const spread = getComputedStyle(node, '::after').position === 'absolute' ? 6 : 0;
    if (box.width && (box.width + spread < 24 || box.height + spread < 24)) faults.push(`target of ${Math.round(box.width)} × ${Math.round(box.height)}: ${describe(node)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} pixels wide of ${innerWidth}`);
  if (isForced) return faults;
  // Contrast from computed styles: text on what lies behind it.
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
  const ground = (node) => {
    const layers = [];
    for (let one = node; one; one = one.parentElement) {
      const color = rgba(getComputedStyle(one).backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reverse().reduce((below, color) => over(color, below), [255, 255, 255]);
  };
  const light = (color) => color.slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, two) => (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
  const ratioOf = (color, below) => contrast(light(over(rgba(color), below)), light(below));
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || seen.has(node) || !isShown(node) || node.matches('script, style, option')) continue;
    seen.add(node);
    const style = getComputedStyle(node);
    if (rgba(style.color)[3] === 0) continue;
    const below = ground(node);
    const ratio = ratioOf(style.color, below);
    if (ratio < 5) faults.push(`contrast ${ratio.toFixed(2)}: ${describe(node)} ${style.color} on ${below.map(Math.round)}`);
  }
  // What a field says before something is in it, and the lines that show what is a control.
  for (const node of all('button, .button, input:not([type=checkbox], [type=radio], [type=file]), select, textarea').filter(isShown)) {
    const { color } = getComputedStyle(node, '::placeholder');
    const hint = node.placeholder && !node.value ? ratioOf(color, ground(node)) : 21;
    if (hint < 5) faults.push(`contrast ${hint.toFixed(2)}: the placeholder of ${describe(node)} ${color}`);
    const style = getComputedStyle(node);
    if (style.borderTopStyle === 'none' || !parseFloat(style.borderTopWidth) || rgba(style.borderTopColor)[3] === 0) continue;
    const line = ratioOf(style.borderTopColor, ground(node.parentElement));
    if (line < 3) faults.push(`contrast ${line.toFixed(2)}: the line of ${describe(node)} ${style.borderTopColor} on ${ground(node.parentElement).map(Math.round)}`);
  }
  // The focus never lies under what sticks: gone through upwards, since heads stick at the top.
  const sticky = all('*').filter((node) => getComputedStyle(node).position === 'sticky' && isShown(node));
  const held = document.activeElement;
  const places = sticky.length ? all('*').filter((node) => node.scrollTop || node.scrollLeft).map((node) => [node, node.scrollTop, node.scrollLeft]) : [];
  const ends = all('a[href], button, input, select, textarea, summary, [tabindex]').filter((node) => isShown(node) && !sticky.some((one) => one.contains(node) || node.contains(one)));
  for (const node of sticky.length ? ends.slice(-300).reverse() : []) {
    node.focus();
    if (document.activeElement !== node) continue;
    const box = node.getBoundingClientRect();
    const above = sticky.map((one) => [one, one.getBoundingClientRect()]).find(([one, { left, right, top, bottom }]) => one.closest('.scroller, main')?.contains(node)
      && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1 && Math.min(right, box.right) - Math.max(left, box.left) > 1);
    if (above) faults.push(`the focus of ${describe(node)} lies under ${describe(above[0])}`);
  }
  if (sticky.length) held?.focus({ preventScroll: true });
  if (sticky.length && document.activeElement !== held) document.activeElement.blur();
  for (const [node, top, left] of places) node.scrollTo({ top, left, behavior: 'instant' });
  return faults.slice(0, 12);
}
