import { readdirSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { sourceOf, sourcesOf } from '../support/graph.ts'

const LONGEST_LINE = 120
const ROOT = new URL('../../', import.meta.url)
const FILES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.ts')),
  ...['cli', 'verbs', 'contract', 'scripts', 'server', 'src', 'tests'].flatMap(sourcesOf),
]

/** A comment: its first line (from 1), whole lines, and texts without marks. Adjacent line comments are one. */
interface Comment {
  line: number
  lines: string[]
  texts: string[]
}

/** Instructions to tools, in the tools' own words. */
const DIRECTIVE = /^(biome-ignore|@ts-|@vite-|\/? ?<reference|v8 ignore|#__)/

function commentsOf(file: string, source: string): Comment[] {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineOf = (offset: number) => starts.findLastIndex((start) => start <= offset)
  const lines = source.split('\n')
  const comments: (Comment & { own: boolean; indent: number })[] = []
  for (const { type, value, start, end } of parseSync(file, source).comments) {
    const [first, last] = [lineOf(start), lineOf(end)]
    const texts = value.split('\n').map((text) => text.replace(/^\s*\*+/, '').trim())
    if (DIRECTIVE.test(texts[0]!)) continue
    const indent = start - starts[first]!
    const own = type === 'Line' && !lines[first]!.slice(0, indent).trim()
    const above = comments.at(-1)
    if (own && above?.own && above.indent === indent && above.line + above.lines.length === first + 1) {
      above.lines.push(lines[first]!)
      above.texts.push(...texts)
    } else comments.push({ line: first + 1, lines: lines.slice(first, last + 1), texts, own, indent })
  }
  return comments
}

/** Returns the texts of a comment that break a rule. */
type Rule = (comment: Comment) => readonly string[]
const faultsOf = (rule: Rule, file: string, comments: readonly Comment[]): string[] =>
  comments.flatMap((comment) => rule(comment).map((text) => `${file}:${comment.line} ${text}`))

const tooLong: Rule = ({ lines }) => lines.filter((line) => line.length > LONGEST_LINE).map((line) => line.trim())

const ENDS = /[.:!?…][)"'`”’]*$/
/** In a comment of several lines, a line that doesn't end a sentence. */
const runsOn: Rule = ({ texts }) => {
  const written = texts.filter(Boolean)
  return written.slice(0, -1).filter((text) => !ENDS.test(text))
}

/** Words that plain English does without in a comment. */
const STIFF = [
  /\banew\b/i,
  /\bwho(so)?ever\b/i,
  /\bstands\b(?! for\b)/i,
  /\b(there|where|here)(of|upon|with)\b/i,
  /\bshall\b/i,
  /\bby and by\b/i,
  /\btold of\b/i,
  /\bunless told\b/i,
  /\bmend(s|ed|ing)?\b/i,
  /\bby ear\b/i,
  /\bmend(s|ed|ing)?\b/i,
  /\b(says?|said) of\b/i,
  /\bwhat (became|came) of\b/i,
  /\b(came|comes?) in (the|its) way\b/i,
  /\btak(es?|en) back\b/i,
  /^So (long|often|many|much)\b/,
  /\bso (long|often|many|much) as\b/i,
  /^Answers (?!(are|by|given|in|of|to|with)\b)/,
]
const stiff: Rule = ({ texts }) => texts.filter((text) => STIFF.some((word) => word.test(text)))

/** The same words, wherever a comment may begin in its line. */
const STIFF_IN_LINE = STIFF.map((word) => new RegExp(word.source.replace(/^\^/, '(?:^|[/*])\\s*'), word.flags))

/** True unless a file's lines show that no comment breaks a rule, as parsing every file takes many times as long. */
function isSuspect(source: string): boolean {
  const lines = source.split('\n')
  let open = false
  // Lines of comments, and some of strings that look like them.
  const within = lines.map((line) => {
    const before = open
    for (const [mark] of line.matchAll(/\/\*|\*\//g)) open = mark === '/*'
    return before || /\/[/*]/.test(line)
  })
  return lines.some((line, at) => {
    if (!within[at]) return false
    const text = line
      .replace(/^.*?(\/\/|\/\*+)|^\s*\*+(?!\/)/, '')
      .replace(/\*\/.*/, '')
      .trim()
    const goesOn = text !== '' && within[at + 1] === true && !/^\s*\*\//.test(lines[at + 1]!) && !ENDS.test(text)
    return goesOn || line.length > LONGEST_LINE || STIFF_IN_LINE.some((word) => word.test(line))
  })
}

const SUSPECTS = process.env.WHOLE ? FILES : FILES.filter((file) => isSuspect(sourceOf(file)))
const COMMENTS = SUSPECTS.map((file) => [file, commentsOf(file, sourceOf(file))] as const)
const allFaults = (rule: Rule) => COMMENTS.flatMap(([file, comments]) => faultsOf(rule, file, comments))

test('a line with a comment has at most 120 characters', () => {
  expect(allFaults(tooLong)).toEqual([])
})

test('no sentence of a comment runs over several lines', () => {
  expect(allFaults(runsOn)).toEqual([])
})

test('no comment has a word that plain English does without', () => {
  expect(allFaults(stiff)).toEqual([])
})

test('the rules find a long line, a sentence over two lines and a stiff word, and let plain comments and directives pass', () => {
  const sample = [
    `const a = 1 // ${'Long. '.repeat(20)}`,
    '/**',
    ' * This sentence goes on',
    ' * in the next line.',
    ' */',
    '/** Answers whoever asks. */',
    'const b = "// no comment: the user shall read it" /* This begins anew. */',
    '// This is one sentence.',
    '// This is another.',
    '// biome-ignore lint/style/noVar: tells the linter something that it reads as it',
    "// stands, at any length, because these words are the tool's and not ours, and it ends here",
    'const c = <p>{/* Answers by question stand for themselves. */}</p>',
  ].join('\n')
  expect(sample.split('\n').filter(isSuspect)).toHaveLength(4)
  expect(
    ['/**\n * It goes on\n * here. */', '/* It goes on\nhere. */', '// It goes on\n// here.'].filter(isSuspect),
  ).toHaveLength(3)
  const lines = (rule: Rule) =>
    commentsOf('sample.tsx', sample).flatMap((comment) => (rule(comment).length ? [comment.line] : []))
  expect({ tooLong: lines(tooLong), runsOn: lines(runsOn), stiff: lines(stiff) }).toEqual({
    tooLong: [1],
    runsOn: [2],
    stiff: [6, 7, 11],
  })
})
