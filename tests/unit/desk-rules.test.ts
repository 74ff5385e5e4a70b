import { expect, test } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { DESK_RULE_IDS, DESK_RULES, deskIdOf, deskRule, readDeskId } from '../../contract/deskRules.ts'
import { nounOf } from '../../contract/nounOf.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import { actsOn, mayRun } from '../../src/commands/availability.ts'
import { keymap } from '../../src/commands/keymap.ts'
import { chainOf, effective } from '../../src/runner/keys/bindings.ts'
import { commandOf, isCommandId } from '../support/commands.ts'
import { checkRows } from './rows.ts'

// The rules of the desk, and the keys of its lines.

test('every rule has a number of its own, which its lines’ ids end with', () => {
  expect(new Set(DESK_RULE_IDS.map((id) => DESK_RULES[id].number)).size).toBe(DESK_RULE_IDS.length)
  checkRows(
    DESK_RULE_IDS.map((id) => [id] as const),
    ([id]) => {
      expect(readDeskId(deskIdOf(id, 4812))).toEqual({ rule: id, subject: 4812 })
      expect(DESK_RULES[id].number).toBeGreaterThan(0)
      expect(DESK_RULES[id].number).toBeLessThan(100)
    },
  )
  expect(readDeskId(481_200)).toBeNull()
})

/** The kinds of record that a rule's command runs on. */
const kindsOf = (id: (typeof DESK_RULE_IDS)[number]): readonly string[] => {
  const { subject, command } = deskRule(id)
  if (command === 'entry.redeem') return ['entry']
  return subject === 'project' ? ['project', 'campaign'] : [subject]
}

test('every rule’s command exists, acts on its records, and is one that its people may run', () => {
  checkRows(
    DESK_RULE_IDS.map((id) => [id] as const),
    ([id]) => {
      const { command, who, subject, settledBy } = deskRule(id)
      expect(nounOf(subject)?.words).toBeDefined()
      expect(isCommandId(command)).toBe(true)
      if (!isCommandId(command)) return
      expect(mayRun(command, commandOf(command), who)).toBe(true)
      for (const kind of kindsOf(id))
        expect(actsOn(commandOf(command), [{ kind: kind as SubjectKind, id: 1, name: '' }])).toBe(true)
      expect(settledBy.filter((call) => !(call in calls))).toEqual([])
    },
  )
})

test('the keys of records and of other lists do nothing on a line', () => {
  const chain = chainOf(effective({}), { focused: null, list: true, row: 'desk' })
  expect(chain).toEqual([keymap.app, keymap.list, keymap.desk])
  expect(keymap.desk).toEqual({
    Enter: 'desk.review',
    '!': 'desk.settle',
    'm a': 'desk.acknowledge',
    'm s': 'desk.snooze',
    'm o': 'desk.handOver',
    'm u': 'desk.reopen',
  })
})
