/** Returns a form's next values after a send, keeping what was typed into each field since. */
export function typedSince<V extends object>(sent: V, now: V, next: V): V {
  const goOn = (name: keyof V): V[keyof V] => {
    const [was, is] = [sent[name], now[name]]
    if (JSON.stringify(was) === JSON.stringify(is)) return next[name]
    // The field wasn't cleared yet, so text typed after the old value starts the new one.
    if (typeof was === 'string' && typeof is === 'string' && was && is.startsWith(was))
      return (String(next[name]).startsWith(was) ? is : String(next[name]) + is.slice(was.length)) as V[keyof V]
    return is
  }
  return Object.fromEntries((Object.keys(next) as (keyof V)[]).map((name) => [name, goOn(name)])) as V
}
