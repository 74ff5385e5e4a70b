/** Separates the texts of blocks; no query contains it. */
const APART = '\u0000'
/** More matches than anyone steps through. */
const MOST = 999

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
/** A match. In a field, the range surrounds the field, and the match lies between two characters. */
export interface Match {
  range: Range
  field?: { control: Field; from: number; to: number }
}

/** Inputs whose value isn't readable text, or must not be read. */
const SILENT = /^(hidden|password|checkbox|radio|file|submit|button|reset|image|range|color)$/

/** Returns what a field shows. */
export function shownIn(control: Field): string {
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map(({ text }) => text).join(', ')
  return SILENT.test(control.type) ? '' : control.value
}
const isField = (node: Node): node is Field =>
  node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement

/** Returns all visible text of an element as one string, with the offset of each part. */
function textsOf(root: Element): { whole: string; parts: { node: Text | Field; from: number }[] } {
  const shown = new Map<Element, boolean>()
  const isShown = (element: Element) => {
    const known = shown.get(element)
    if (known !== undefined) return known
    const is = element.checkVisibility({ visibilityProperty: true }) && !element.closest('.sr-only, script, style')
    shown.set(element, is)
    return is
  }
  const parts: { node: Text | Field; from: number }[] = []
  let whole = ''
  let last: Element | null = null
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (isField(node)) {
      const value = shownIn(node)
      if (!value.trim() || !isShown(node)) continue
      whole += APART
      last = null
      parts.push({ node, from: whole.length })
      whole += value + APART
      continue
    }
    if (!(node instanceof Text)) continue
    const parent = node.parentElement
    if (!parent || !node.data.trim() || parent.closest('select, textarea') || !isShown(parent)) continue
    const block = blockOf(parent)
    if (block !== last) whole += APART
    last = block
    parts.push({ node, from: whole.length })
    whole += node.data
  }
  return { whole, parts }
}

/** Returns the nearest block element. */
export function blockOf(element: Element): Element {
  let at = element
  while (at.parentElement && /^(inline|contents)$/.test(getComputedStyle(at).display)) at = at.parentElement
  return at
}

/** Finds a text in what an element shows, in order; ignores case and differences in whitespace. */
export function findText(root: Element, query: string): Match[] {
  const words = query.trim().split(/\s+/)
  if (!words[0]) return []
  const { whole, parts } = textsOf(root)
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const found: Match[] = []
  let at = 0
  const placeOf = (index: number) => {
    while (at + 1 < parts.length && parts[at + 1]!.from <= index) at += 1
    const { node, from } = parts[at]!
    return { node, offset: index - from }
  }
  for (const match of whole.matchAll(new RegExp(escaped.join('\\s+'), 'giu'))) {
    const range = document.createRange()
    const { node, offset } = placeOf(match.index)
    if (node instanceof Text) {
      range.setStart(node, Math.min(offset, node.length))
      const end = placeOf(match.index + match[0].length - 1)
      range.setEnd(end.node, Math.min(end.offset, (end.node as Text).length - 1) + 1)
      found.push({ range })
    } else {
      range.selectNode(node)
      found.push({ range, field: { control: node, from: offset, to: offset + match[0].length } })
    }
    if (found.length === MOST) break
  }
  return found
}
