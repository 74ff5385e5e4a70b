import fc from 'fast-check'
import { matchKeybindingPress } from 'tinykeys'
import { describe, expect, it } from 'vitest'
import { keymap } from '../../src/commands/keymap.ts'
import { type At, chainOf, contextsAt, type Keymap } from '../../src/runner/keys/bindings.ts'
import { lookUp, press } from '../../src/runner/keys/chords.ts'
import { normalize, parse, readingsOf } from '../../src/runner/keys/token.ts'
import * as formerChords from './former/chords.ts'
import * as former from './former/token.ts'
import { codesOf, type Held, layouts, pressAt } from './layouts.ts'

const map = keymap as Keymap
const chords = [...new Set(Object.values(map).flatMap((keys) => Object.keys(keys).flatMap((keys) => keys.split(' '))))]
const names = Object.keys(layouts) as (keyof typeof layouts)[]
const held = fc.record<Held>({
  ctrlKey: fc.boolean(),
  metaKey: fc.boolean(),
  altKey: fc.boolean(),
  shiftKey: fc.boolean(),
  altGraph: fc.constantFrom('no', 'no', 'no', 'said', 'as Ctrl+Alt'),
  capsLock: fc.boolean(),
})
const pressed = fc
  .constantFrom(...names.flatMap((name) => codesOf(name).map((code) => [name, code] as const)))
  .chain(([name, code]) => held.map((held) => pressAt(name, code, held)))
const kinds = [null, ...Object.keys(map)] as At['row'][]
const place = fc.record<At>({
  focused: fc.constantFrom(...kinds),
  list: fc.boolean(),
  view: fc.boolean(),
  row: fc.constantFrom(...kinds),
})

const asBefore = (key: ReturnType<typeof pressAt>) => ({ ...key, altGraph: key.getModifierState!('AltGraph') })
/** Without what differs on purpose: letters beside Latin say Shift, as Latin ones do, and not their size; a dead key of AltGr is no key. */
const asNow = (names: readonly string[]) =>
  names.flatMap((name) =>
    name === 'Dead' ? [] : [name.replace(/^(?:Shift\+)?(?=[^ -~]$)/, '').replace(/^[^ -~]$/, (sign) => sign.toLowerCase())],
  )

describe('a key of the keymap, to tinykeys', () => {
  it('is what it is called, on every keyboard', () =>
    fc.assert(
      fc.property(pressed, fc.boolean(), (key, mac) => {
        for (const reading of readingsOf(key, mac))
          for (const chord of chords)
            expect(
              matchKeybindingPress(reading as unknown as KeyboardEvent, parse(chord)[0]!),
              `${reading.name} as ${chord}`,
            ).toBe(reading.name === chord)
      }),
      { numRuns: 3000 },
    ))
})

describe('the former matcher', () => {
  it('names the same', () =>
    fc.assert(
      fc.property(pressed, fc.boolean(), (key, mac) => {
        expect(asNow(readingsOf(key, mac).map(({ name }) => name))).toEqual(asNow(former.tokensOf(asBefore(key), mac)))
      }),
      { numRuns: 20000 },
    ))
  it('names the same: every key, exhaustively', () => {
    let n = 0
    for (const name of names)
      for (const code of codesOf(name))
        for (let bits = 0; bits < 32; bits++)
          for (const altGraph of ['no', 'said', 'as Ctrl+Alt'] as const)
            for (const mac of [false, true]) {
              const key = pressAt(name, code, {
                ctrlKey: !!(bits & 1),
                metaKey: !!(bits & 2),
                altKey: !!(bits & 4),
                shiftKey: !!(bits & 8),
                capsLock: !!(bits & 16),
                altGraph,
              })
              n++
              const was = asNow(former.tokensOf(asBefore(key), mac))
              const is = readingsOf(key, mac)
              expect(asNow(is.map(({ name }) => name)), JSON.stringify({ name, mac, key })).toEqual(was)
              for (const reading of is)
                for (const chord of chords)
                  if (matchKeybindingPress(reading as unknown as KeyboardEvent, parse(chord)[0]!) !== (reading.name === chord))
                    throw new Error(`${reading.name} as ${chord}`)
            }
    console.log(n, 'presses', chords.length, 'chords')
  })
  it('steps the same, over sequences', () =>
    fc.assert(
      fc.property(place, fc.array(pressed, { minLength: 1, maxLength: 4 }), (at, keys) => {
        const chain = chainOf(map, at)
        let pending: readonly string[] = []
        let was: readonly string[] = []
        for (const key of keys) {
          const may = readingsOf(key, false)
          const formerly = asNow(former.tokensOf(asBefore(key), false))
          if (!may[0]) continue
          const now = press(pending, may, chain)
          expect(now).toEqual(formerChords.press(was, formerly, chain))
          pending = was = now.kind === 'wait' ? now.keys : []
        }
      }),
      { numRuns: 20000 },
    ))
  it('steps the same, over every binding', () => {
    for (const focused of kinds)
      for (const row of kinds)
        for (const list of [true, false]) {
          const chain = chainOf(map, { focused, row, list, view: true })
          for (const bindings of Object.values(map))
            for (const keys of Object.keys(bindings)) {
              const words = keys.split(' ')
              expect(lookUp(words, chain)).toEqual(formerChords.lookUp(words, chain))
              expect(lookUp(words.slice(0, 1), chain)).toEqual(formerChords.lookUp(words.slice(0, 1), chain))
            }
        }
  })
  it('normalizes the same', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.subarray(['Ctrl', 'mod', 'Shift', 'Alt', 'Control', 'CMD', 'Meta']),
            fc.constantFrom(...'abzGKZ?*+[]\\/.-_1(', 'F1', 'ArrowDown', 'Space', 'Enter'),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        (parts) => {
          const binding = parts.map(([mods, key]) => [...mods, key].join('+')).join(' ')
          expect(normalize(binding)).toBe(former.normalize(binding))
        },
      ),
      { numRuns: 5000 },
    ))
})
