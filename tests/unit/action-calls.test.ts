import { expect, test } from 'vitest'
import { RECORD_RULES } from '../../contract/access.ts'
import { ACTION_CALLS } from '../../contract/actionCalls.ts'
import type { Call } from '../../contract/call.ts'
import { calls } from '../../contract/calls.ts'

const fieldsOf = ({ input, files }: Call): string[] => [
  ...Object.keys((input as unknown as { shape: object }).shape),
  ...(files ? [files.name] : []),
]

test('each action of a record is a call, or has the call that makes it', () => {
  const names = new Set(Object.values(RECORD_RULES).flatMap((rules) => Object.keys(rules)))
  expect([...names].filter((name) => !Object.hasOwn(calls, name) && !Object.hasOwn(ACTION_CALLS, name))).toEqual([])
  expect(Object.keys(ACTION_CALLS).filter((name) => Object.hasOwn(calls, name) || !names.has(name))).toEqual([])
})

test('each of them has fields that the call takes, and values that it accepts', () => {
  for (const [action, { call, record, input = {}, asks = [] }] of Object.entries(ACTION_CALLS)) {
    const row = calls[call] as Call
    const names = [record.split('.')[0]!, ...Object.keys(input), ...asks].filter(Boolean)
    expect(
      names.filter((name) => !fieldsOf(row).includes(name)),
      action,
    ).toEqual([])
    const parsed = row.input.safeParse(input)
    const wrong = parsed.success ? [] : parsed.error.issues.filter(({ path }) => Object.hasOwn(input, String(path[0])))
    expect(wrong, action).toEqual([])
  }
})
