import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { ListRow } from '../../contract/column.ts'
import { type Fields, shortLabelOf } from '../../contract/fieldKinds.ts'
import { fieldTables } from '../../contract/fieldTables.ts'
import { lists } from '../../contract/listRows.ts'
import { wordOf } from '../../contract/nounOf.ts'
import type { NounId } from '../../contract/nouns.ts'
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
  'contract/exportColumns.ts': 'columns of the project lists',
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
  'src/panes/project/specificationRows.tsx': 'rows of a project, with figures among them',
}

test('a label that a field has is typed in its table alone', () => {
  const found = ['contract', 'server', 'cli', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      // Columns of lists have names of their own, which the next test compares.
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
})

test('a column of a list that shows a field is headed by the field’s label, or has a name of its own here', () => {
  /** TABLE  columns with names of their own, with the field's label. */
  const own: Record<string, string> = {
    'user.birth_date': 'Born, Birth date',
    'user.company': 'Company, Company, as they entered it',
    'survey.vendor_survey_id': 'Vendor ID, Survey ID',
    'survey.survey_link': 'Link, Survey link',
    'activity.action_type': 'Action, Action type',
    'reward.name': 'Reward, Reward name',
    'reward.provider_code': 'Code, Provider code',
  }
  const found = Object.entries(lists).flatMap(([noun, row]) => {
    const fields: Fields = fieldTables[noun] ?? {}
    return Object.entries((row as ListRow).columns).flatMap(([id, { header }]) => {
      const field = fields[id] ?? Object.values(fields).find(({ column }) => column === id)
      // A record's name is headed by its noun.
      if (id === 'name' && header.toLowerCase() === wordOf(noun as NounId)) return []
      return field && header !== field.label && header !== shortLabelOf(field) ? [`${noun}.${id}: ${header}, ${field.label}`] : []
    })
  })
  expect(found).toEqual(Object.entries(own).map(([id, label]) => `${id}: ${label}`))
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
