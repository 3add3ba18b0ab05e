/** The storage name of a text that belongs to one tab. */
export function nameInTab(name: string, tab: string): string {
  return tab === '' ? name : `${name}@${tab}`;
}

/** The texts of a thread that belong to other tabs, or to none, and the name that each would have in this one. */
export function textsOfOthers(names: readonly string[], thread: string, tab: string) {
  return names
    .filter((name) => /^(?:unsent|scratch)[.]/.test(name) && name.split(/[.@]/)[1] === thread)
    .map((name) => {
      const [base = '', owner = ''] = name.split('@');
      return { name, owner, ownName: nameInTab(base, tab) };
    })
    .filter(({ name, ownName }) => name !== ownName);
}
