import fc from 'fast-check'
import { matchKeybindingPress } from 'tinykeys'
import { describe, expect, it } from 'vitest'
import { keymap } from '../../src/commands/keymap.ts'
import type { Keymap } from '../../src/runner/keys/bindings.ts'
import { parse, readingsOf } from '../../src/runner/keys/keyReading.ts'
import { codesOf, type Held, layouts, pressAt } from './layouts.ts'
import { rounds } from './rounds.ts'

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
describe('a key of the keymap, to tinykeys', () => {
  it('matches its name, on every keyboard', () =>
    fc.assert(
      fc.property(pressed, fc.boolean(), (key, mac) => {
        for (const reading of readingsOf(key, mac))
          for (const chord of chords)
            expect(
              matchKeybindingPress(reading as unknown as KeyboardEvent, parse(chord)[0]!),
              `${reading.name} as ${chord}`,
            ).toBe(reading.name === chord)
      }),
      { numRuns: rounds(100, 400) },
    ))
})
