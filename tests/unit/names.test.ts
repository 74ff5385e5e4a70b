import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { sourceOf, sourcesOf } from '../support/graph.ts'

/** Names that a newcomer who knows React, Fastify and SQL wouldn't guess; the field's word replaced each. */
const PRIVATE = [
  'admit agreed askAhead askFor beginSteps begun bindAhead Boundary Clash Clashes clashesWith deaf doing doingAtom Ear ear',
  'ears Ears fillIn Fold FolderTaken forgetKeys FormDesk giveBack Heard hear hearLive house House InDoubt inTurn isAway Judged judge',
  'judged keepKeys keepLayout keepPulse keptIds knowName LackingLine Lacking letGo ListDesk Markable Meanwhile mustBuffer nobodyLeft',
  'openHouse ownTurn park PartlyUndone plugDesk putAside Refusal refuseForeign renumber Said saidOf shelf Sight sow Standby standBefore',
  'stubbornly takeFolder tell theDesk Told toldAtom Together troubleOf unhear unsay unturned useAhead useLacking useMarks Verdict',
  'verdict verdictOn wear wearPreferences whenForm writeOnce',
  'addBegun addMashed addMashes begunAt fitsBegun givenBy holdsGlued isMashed MASH mash mashed servicesGiven takeIn toGive',
].flatMap((line) => line.split(' '))

/** Those that are plain words in their context, with the reason; every exception must still be needed. */
const PLAIN: Readonly<Record<string, readonly string[]>> = {
  'a rule’s parties agreed on': ['server/domain/project/edit.ts agreed'],
  'keys are kept back': ['src/workspace/keys/typeahead.ts mustBuffer'],
  'nobody of those chosen is left': ['src/runner/reviewText.ts nobodyLeft'],
}

/** Base names of files that don't tell what the file contains. */
const FILES =
  /^(admit|ahead|aside|asked|begin|claiming|clashes|coming|doing|each|early|follow|go|grown|handing|house|keep|kept|Lacking|lapses|leaving|linked|lit|mash|may|mention|nobody|now|once|onPaper|orderLeaving|orders|owned|part|parts|placing|pulse|refusal|refused|released|renumber|revealed|running|said|say|sentence|shown|spoken|Standby|stray|Told|tally|throttle|trouble|underWay|uses|waiting|ways|who|works)\.tsx?$/
/** Verbs that don't tell what a variable of the contract or the workspace holds. */
const VERBS = 'asked Asked begun clashed dealt given Given heard led meant said SAID say stood strayed told untake vain'.split(
  ' ',
)

const SERVER = /\b(?:const|let|function)\s+(said|told|heard|asked|kept)\b/g

const DECLARED = new RegExp(`\\b(?:function\\*?|const|let|class|type|interface)\\s+(${PRIVATE.join('|')})\\b`, 'g')
const SOURCES = ['contract', 'server', 'src'].flatMap(sourcesOf)
const declaredIn = (text: string) => [...text.matchAll(DECLARED)].map(([, name]) => name!)
const FOUND = new Set(SOURCES.flatMap((file) => declaredIn(sourceOf(file)).map((name) => `${file} ${name}`)))
const EXCEPTIONS = Object.values(PLAIN).flat()

test('nothing is named in words that only its authors know', () => {
  expect([...FOUND].filter((name) => !EXCEPTIONS.includes(name))).toEqual([])
})

test('no variable of the contract or the workspace is named by a verb alone', () => {
  const declared = new RegExp(`\\b(?:const|let|type|interface)\\s+\\[?(${VERBS.join('|')})\\b`, 'g')
  const found = ['contract', 'src']
    .flatMap(sourcesOf)
    .flatMap((file) => [...sourceOf(file).matchAll(declared)].map(([, name]) => `${file} ${name}`))
  expect(found).toEqual([])
})

test('no variable of the server, the command line, a script or a test is named by a participle of speech or keeping', () => {
  const participles = { cli: SERVER, scripts: SERVER, server: SERVER, tests: /\b(?:const|let|function)\s+(said|told|kept)\b/g }
  const found = Object.entries(participles).flatMap(([folder, declared]) =>
    sourcesOf(folder)
      .filter((file) => !file.includes('/migrations/') && file !== 'tests/unit/places.test.ts')
      .flatMap((file) => [...sourceOf(file).matchAll(declared)].map(([, name]) => `${file} ${name}`)),
  )
  expect(found).toEqual([])
})

test('no parameter is called given, and no type by a participle that says nothing of its shape', () => {
  const types = /\b(?:type|interface|class)\s+(Asked|Found|Given|Held|Kept|Sent|Shown)\b/g
  const values = /(?:\b(?:const|let|function)\s+|[({,]\s*|\.\.\.)(given)\s*[,:?=)}]/g
  const found = ['cli', 'verbs', 'contract', 'scripts', 'server', 'src']
    .flatMap(sourcesOf)
    .filter((file) => !file.includes('/migrations/'))
    .flatMap((file) => {
      const code = sourceOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'/g, '')
      return [...code.matchAll(types), ...code.matchAll(values)].map(([, name]) => `${file} ${name}`)
    })
  // A field of a response that is released.
  expect(found).toEqual(['server/domain/survey/renameAnswers.ts given'])
})

test('no file is named in such words', () => {
  expect(SOURCES.filter((file) => FILES.test(basename(file)))).toEqual([])
})

test('every exception is still needed', () => {
  expect(EXCEPTIONS.filter((name) => !FOUND.has(name))).toEqual([])
})

test('the rule finds a private word where it is declared, and lets plain ones pass', () => {
  expect(declaredIn('export type Verdict = string\nconst denial = tell(verdictOf)\nfunction hear() {}')).toEqual([
    'Verdict',
    'hear',
  ])
})
