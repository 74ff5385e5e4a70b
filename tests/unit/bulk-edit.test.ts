import { expect, test } from 'vitest'
import type { ListRow } from '../../contract/column.ts'
import { field } from '../../contract/fieldKinds.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { lists } from '../../contract/listRows.ts'
import { bulkEditOf, bulkFields, MOST_EDITED } from '../../src/commands/bulkEdit.ts'
import type { Subject } from '../../src/commands/subject.ts'
import { commandIds, commandOf, isCommandId } from '../support/commands.ts'

const offered = (noun: string): readonly string[] => {
  const ask = isCommandId(`${noun}.editField`) && commandOf(`${noun}.editField` as 'partner.editField').asks?.field
  return ask && ask.type === 'option' ? (ask.options as readonly { value: string }[]).map(({ value }) => value) : []
}
/** Fields that a command of their own changes, whose review says what follows. */
const OWN_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  // user.edit says which clients and teams a new administrator leaves.
  user: ['role'],
  // activity.convert says what its action becomes.
  activity: ['activity_type'],
  // project.setStatus takes a reason and keeps the order of the steps.
  project: ['status', 'reason'],
}
/** Whether rows of a noun's list can be selected; lists of projects are outside of the table. */
const isSelected = (noun: string) => noun === 'project' || Boolean((lists as Readonly<Record<string, ListRow>>)[noun]?.selects)

test('every plain field of a noun with a list is offered, derived from the table of its fields', () => {
  const wrong = Object.entries(fieldTables).flatMap(([noun, fields]) => {
    if (!isSelected(noun)) return []
    const plain = Object.keys(bulkFields(fields)).filter((name) => !OWN_COMMANDS[noun]?.includes(name))
    return plain.join() === offered(noun).join() ? [] : [`${noun}: ${plain} is not ${offered(noun)}`]
  })
  expect(wrong).toEqual([])
})

test('the fields that each noun offers', () => {
  const all = Object.fromEntries(
    commandIds().flatMap((id) => (id.endsWith('.editField') ? [[id.split('.')[0], offered(id.split('.')[0]!).join(' ')]] : [])),
  )
  expect(all).toEqual({
    activity: 'about action_type social_type social_link social_text url start_dt end_dt',
    brand: 'status start_dt end_dt',
    location: 'city state zip',
    notification: 'message message_action url custom',
    partner: 'contact email phone notes',
    project: 'goal start_dt end_dt loi_minutes incidence campaign_type survey_url partner_id description requirements',
    question: 'question_type answer_type options',
    reward: 'amount partner_id provider_code description',
    service: 's3_bucket start_dt end_dt ordered status',
    survey: 'survey_link survey_vendor questions_count',
    user: 'phone birth_date company',
  })
})

const FIELDS = {
  name: field.name('Name', { required: 'Enter a name' }),
  start_dt: field.day('Start', {}),
  end_dt: field.day('End', {
    nullable: true,
    against: (end, { start_dt }) => (end < String(start_dt) ? 'The end is before the start.' : null),
  }),
  kind: field.choice('Kind', {
    options: [
      { value: 'web', label: 'Web' },
      { value: 'feed', label: 'Feed' },
    ],
  }),
  link: field.text('Link', { when: ({ kind }) => kind === 'web' }),
  amount: field.money('Amount', { column: 'amount_cents', required: 'Enter it', wrong: 'is wrong', unread: 'is unread' }),
}
const command = bulkEditOf('partner', FIELDS)
const subject = (record: object): Subject => ({ kind: 'partner', id: 1, name: 'One', record })
const row = {
  id: 1,
  name: 'One',
  start_dt: '2026-03-01',
  end_dt: null,
  kind: 'feed',
  link: '',
  amount_cents: 7250,
  lock_version: 3,
}
const excluded = (answers: object, record: object = row) => command.excludes!(subject(record), answers as never)

test('a record is skipped with the reason: as it is already, wrong beside its other values, or without the field', () => {
  expect(excluded({ field: 'amount', amount: 7250 })).toBe('it has this already')
  expect(excluded({ field: 'amount', amount: 8000 })).toBeNull()
  expect(excluded({ field: 'end_dt', end_dt: '2026-02-01' })).toBe('The end is before the start.')
  expect(excluded({ field: 'end_dt', end_dt: '2026-04-01' })).toBeNull()
  expect(excluded({ field: 'link', link: 'x' })).toBe('it has no link')
  expect(excluded({ field: 'link', link: 'x' }, { ...row, kind: 'web' })).toBeNull()
  expect(excluded({ field: 'nobody' })).toBeNull()
  // Its value isn't answered yet.
  expect(excluded({ field: 'amount' })).toBeNull()
  expect(excluded({ field: 'amount', amount: '' })).toBe('Enter it')
})

test('more than its limit are refused with the limit, and a record that lacks a field is read first', async () => {
  const many = Array.from({ length: MOST_EDITED + 1 }, () => subject(row))
  expect(command.disabledReason!({} as never, many)).toBe('at most 200 can be edited at a time')
  expect(command.disabledReason!({} as never, many.slice(1))).toBeNull()
  const reads: unknown[] = []
  const api = {
    async read(id: string, input: object) {
      reads.push([id, input])
      return { data: { ...row, name: 'Read' } }
    },
  }
  const { able } = await command.prepare!(api as never, [subject(row), subject({ id: 1 })])
  expect(reads).toEqual([['partner.get', { id: 1 }]])
  expect(able.map(({ record }) => (record as typeof row).amount_cents)).toEqual([7250, 7250])
})
