// What a live table does with changes: which rows they are, and how rows come to their places.

export class News {
  entered = new Set();
  changed = new Set();
  left = new Map(); // id → reason
  moved = new Set();

  get size() { return this.entered.size + this.changed.size + this.left.size + this.moved.size; }

  add({ entered = [], changed = [], left = [], moved = [] }) {
    for (const id of entered) (this.left.delete(id) ? this.changed : this.entered).add(id);
    for (const { id } of changed) if (!this.entered.has(id)) this.changed.add(id);
    for (const { id, reason } of left) {
      this.changed.delete(id);
      if (!this.entered.delete(id)) this.left.set(id, reason);
    }
    for (const id of moved) this.moved.add(id);
  }
}

/** Brings `body` to `nodes` with few moves: a node that moves may lose the focus. */
export function arrange(body, nodes) {
  const put = (node, before) => (node.isConnected && body.moveBefore ? body.moveBefore(node, before) : body.insertBefore(node, before));
  const wanted = new Set(nodes);
  for (const node of [...body.children]) if (!wanted.has(node)) node.remove();
  let at = body.firstChild;
  for (const node of nodes) {
    if (at !== node && at?.nextSibling === node) {
      put(at, null); // its turn comes
      at = node;
    }
    if (at === node) at = at.nextSibling;
    else put(node, at);
  }
}

export const placesOf = (nodes) => new Map(nodes.filter(Boolean).map((node) => [node, node.getBoundingClientRect().top]));

/** Lets nodes slide from where they were, for readers who do not mind. */
export function slide(places) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const [node, top] of places) {
    const distance = top - node.getBoundingClientRect().top;
    if (distance && node.isConnected) node.animate([{ transform: `translateY(${distance}px)` }, { transform: 'none' }], { duration: 180, easing: 'ease-out' });
  }
}
