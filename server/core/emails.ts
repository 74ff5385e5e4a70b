/** How an address is recognized: what joins its parts, a sign before it, and what follows it. */
interface Spelling {
  joint: RegExp
  local: RegExp
  domain: RegExp
}

/** ana@acme.test, with everything that isn't a separator. */
const PLAIN: Spelling = {
  joint: /@/g,
  local: /[^\s@<>()",;:]/u,
  domain: /[^\s@<>()",;:]+\.[^\s@<>()",;:.]+/y,
}
/** As people disguise it, too: "ana (at) acme dot test" in brackets, or with a blank at each joint. */
const DISGUISED: Spelling = {
  joint: /\s?(?:@|\(at\)|\[at\])\s?/giu,
  local: /[\p{L}\p{N}._%+'-]/u,
  domain: /[\p{L}\p{N}-]+(?:\s?(?:\.|\(dot\)|\[dot\])\s?[\p{L}\p{N}-]+)+/iuy,
}

/**
 * Replaces email addresses in a stranger's text, in linear time.
 * It looks for the @ first and goes on from there: a pattern of the whole address tries again at each letter.
 */
export function replaceEmails(text: string, replacement: string, { disguised = false } = {}): string {
  const { joint, local, domain } = disguised ? DISGUISED : PLAIN
  let replaced = ''
  let done = 0
  for (const { index, 0: sign } of text.matchAll(joint)) {
    if (index < done) continue
    domain.lastIndex = index + sign.length
    const end = domain.test(text) ? domain.lastIndex : 0
    const start = startOf(text, index, done, local)
    if (!end || start === index) continue
    replaced += text.slice(done, start) + replacement
    done = end
  }
  return replaced + text.slice(done)
}

/** Where the signs that may stand before the joint begin, not before `least`. */
function startOf(text: string, joint: number, least: number, local: RegExp): number {
  let start = joint
  while (start > least) {
    const before = text.codePointAt(start - 2)! > 0xffff && start - 2 >= least ? start - 2 : start - 1
    if (!local.test(text.slice(before, start))) break
    start = before
  }
  return start
}
