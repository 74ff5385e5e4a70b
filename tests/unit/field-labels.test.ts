import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { FIELD, type ListRow } from '../../contract/column.ts'
import { type Fields, shortLabelOf } from '../../contract/fieldKinds.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { lists } from '../../contract/listRows.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { type NounRow, nouns } from '../../contract/nouns.ts'
import { fieldName } from '../../src/panes/project/historyFields.ts'

/* A field's label is in its table. Elsewhere it is taken from there, or is one of these. */

const root = resolve(import.meta.dirname, '../..')
/** Labels by a field's name or column. */
const labels = new Map<string, Set<string>>()
for (const fields of Object.values(fieldTables))
  for (const [name, field] of Object.entries(fields))
    for (const key of new Set([name, field.column ?? name]))
      labels.set(key, new Set([...(labels.get(key) ?? []), field.label, shortLabelOf(field)]))

/** TABLE  files that type such a label, with what it is a label of. */
const OTHERS: Readonly<Record<string, string>> = {
  'contract/projectHeadings.ts': 'the order of a family, and shorter names',
  'contract/requestColumns.ts': 'columns of the list of requests',
  'contract/reportTypes.ts': 'the day of an interview',
  'contract/visitPeriod.ts': 'a period',
  'contract/vocabulary.ts': 'respondents’ figures, with shorter ones; the table’s choices are there',
  'server/domain/report/values.ts': 'the day of an interview',
  'src/commands/projects/request.ts': 'a message to us',
  'src/commands/results/content.ts': 'why content is rejected',
  'src/commands/rewards/entry.ts': 'why a reward isn’t paid',
  'src/commands/rewards/vip.ts': 'why an award is withdrawn',
  'src/commands/surveys/survey.ts': 'where a new survey comes from',
  'src/panes/form/requestDraft.ts': 'the steps of the progress',
  'src/panes/partner/answerForm.ts': 'a partner’s answer, whose page loads no table',
  'src/panes/project/ClientSteps.tsx': 'a step of a project',
}

test('a label that a field has is typed in its table alone', () => {
  const found = ['contract', 'server', 'cli', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      // Columns of lists have headings of their own in the next test.
      .filter((file) => /\.tsx?$/.test(file) && !/Fields\.ts$|contract\/nouns\.ts$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8')
        const typed = [
          ...text.matchAll(/\b(\w+): '([^'\n]+)'/g),
          ...text.matchAll(/\b(\w+): [\w.]*\(?\{ ?(?:\.\.\.[\w.]+, )?label: '([^'\n]+)'/g),
          ...text.matchAll(/\b(?:id|key|field|value|call): '(\w+)',\s+(?:label|name): '([^'\n]+)'/g),
          ...[...text.matchAll(/\blabel: '([^'\n]+)',\s+(?:id|key|field|value): '(\w+)'/g)].map(([all, label, name]) => [
            all,
            name,
            label,
          ]),
        ]
        return typed.flatMap(([, name, label]) => (labels.get(name!)?.has(label!) ? [`${file} ${name} ${label}`] : []))
      }),
  )
  expect(found.filter((one) => !OTHERS[one.split(' ')[0]!])).toEqual([])
  expect(Object.keys(OTHERS).filter((file) => !found.some((one) => one.startsWith(`${file} `)))).toEqual([])
})

test('a message is typed in one file alone, and only one has its words', () => {
  const typed = new Map<string, Set<string>>()
  for (const folder of ['contract', 'server', 'cli', 'src', 'verbs'])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue
      const text = readFileSync(join(root, folder, name), 'utf8')
      for (const [, message = ''] of text.matchAll(/'((?:Please |The field )[^'\n]+|[^'\n]*(?:cannot|can’t) be blank)'/g))
        typed.set(message, new Set([...(typed.get(message) ?? []), `${folder}/${name}`]))
    }
  expect(typed.size).toBeGreaterThan(50)
  const copies = [...typed].filter(([, files]) => files.size > 1)
  expect(copies.map(([message, files]) => `${message}: ${[...files].join(', ')}`)).toEqual([])
  const values = Object.values(MESSAGES).filter((message) => typeof message === 'string')
  expect(values.filter((message, at) => values.indexOf(message) !== at)).toEqual([])
})

test('a list’s column that shows a field is headed by it, unless it is named here', () => {
  /** TABLE  columns of fields with headings of their own, with the reason. */
  const own: Record<string, string> = {
    'user.birth_date': 'shorter, beside a date',
    'user.company': 'shorter: the label says who entered it',
    'survey.vendor_survey_id': 'beside the list’s own ID',
    'survey.survey_link': 'shorter: the list is of surveys',
    'activity.action_type': 'shorter: its values are actions',
    'reward.name': 'shorter than the noun, catalogue reward',
    'reward.provider_code': 'shorter, beside the provider',
    'vip.name': 'the field’s label, shorter than the noun',
    'notification.name': 'the field’s label: the list also has the message',
  }
  const typed = Object.entries<NounRow>(nouns).flatMap(([noun, { list }]) => {
    const fields: Fields = fieldTables[noun] ?? {}
    const columns = Object.values(fields).map(({ column }) => column)
    return Object.entries(list?.columns ?? {}).flatMap(([id, { header }]) =>
      header !== FIELD && (fields[id] || columns.includes(id)) ? [`${noun}.${id}`] : [],
    )
  })
  expect(typed.sort()).toEqual(Object.keys(own).sort())
  for (const { columns } of Object.values<ListRow>(lists))
    for (const [id, { header }] of Object.entries(columns)) expect(header, id).toMatch(/\S/)
})

test('a project’s history names values by the labels of their fields', () => {
  expect(
    [
      ['project', 'end_dt'],
      ['project', 'ordered'],
      ['project', 'survey_url'],
      ['project', 'provider_id'],
      ['project', 'cost_cents'],
      ['target', 'hhi'],
      ['activity', 'constructor'],
      ['visit', 'first_day'],
    ].map(([subject, field]) => fieldName(subject!, field!)),
  ).toEqual(['end date', 'goal', 'survey URL', 'reward provider', 'cost', 'household income', 'constructor', 'first day'])
})
