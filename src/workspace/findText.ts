/** Between the texts of two blocks: no query matches it. */
const APART = '\u0000'
/** More matches than anybody goes through. */
const MOST = 999

/** Every visible text in an element as one string, with where each part of it is. */
function textsOf(root: Element): { whole: string; parts: { node: Text; from: number }[] } {
  const shown = new Map<Element, boolean>()
  const isShown = (element: Element) => {
    const known = shown.get(element)
    if (known !== undefined) return known
    const is = element.checkVisibility({ visibilityProperty: true }) && !element.closest('.sr-only, script, style, select')
    shown.set(element, is)
    return is
  }
  const parts: { node: Text; from: number }[] = []
  let whole = ''
  let last: Element | null = null
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const parent = node.parentElement
    if (!parent || !node.data.trim() || !isShown(parent)) continue
    const block = blockOf(parent)
    if (block !== last) whole += APART
    last = block
    parts.push({ node, from: whole.length })
    whole += node.data
  }
  return { whole, parts }
}

/** The nearest element that is no part of a line of text. */
export function blockOf(element: Element): Element {
  let at = element
  while (at.parentElement && /^(inline|contents)$/.test(getComputedStyle(at).display)) at = at.parentElement
  return at
}

/** Where a text occurs in what an element shows, in its order; in any size of letters, over any blanks. */
export function findText(root: Element, query: string): Range[] {
  const words = query.trim().split(/\s+/)
  if (!words[0]) return []
  const { whole, parts } = textsOf(root)
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const found: Range[] = []
  let at = 0
  const placeOf = (index: number) => {
    while (at + 1 < parts.length && parts[at + 1]!.from <= index) at += 1
    const { node, from } = parts[at]!
    return [node, Math.min(index - from, node.length)] as const
  }
  for (const match of whole.matchAll(new RegExp(escaped.join('\\s+'), 'giu'))) {
    const range = document.createRange()
    range.setStart(...placeOf(match.index))
    range.setEnd(...placeOf(match.index + match[0].length - 1))
    range.setEnd(range.endContainer, range.endOffset + 1)
    found.push(range)
    if (found.length === MOST) break
  }
  return found
}
