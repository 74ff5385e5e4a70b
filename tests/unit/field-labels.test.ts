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
/** Texts that are surely a field's: labels of several words, and hints. */
const texts = new Set<string>()
for (const fields of Object.values(fieldTables))
  for (const [name, field] of Object.entries(fields)) {
    const own = [field.label, shortLabelOf(field)]
    for (const key of new Set([name, field.column ?? name])) labels.set(key, new Set([...(labels.get(key) ?? []), ...own]))
    const hints = [field.hint, field.placeholder].filter((text) => typeof text === 'string')
    for (const text of [...own, ...hints]) if (text.includes(' ')) texts.add(text)
  }
/** Words of nouns, which head lists of them too. */
for (const { words } of Object.values<NounRow>(nouns))
  for (const word of words ?? []) texts.delete(word.slice(0, 1).toUpperCase() + word.slice(1))
// Lists and maps of market areas are headed so.
texts.delete('Market areas')
/** Labels of controls in JSX, by which a pane draws a field itself. */
const drawn = new Set([...labels.values()].flatMap((own) => [...own]))

/** TABLE  files that type such a label, with what it is a label of. */
const OTHERS: Readonly<Record<string, string>> = {
  'contract/fieldWords.ts': 'a sentence of the API document',
  'contract/questionSheet.ts': 'what columns of a sheet may be called',
  'server/domain/runtime/respondentExport.ts': 'respondents’ answers',
  'server/exports/userResponses.ts': 'respondents’ answers',
  'src/commands/imports/import.ts': 'what a file belongs to',
  'src/commands/people/user.ts': 'why an administrator acts as somebody',
  'src/commands/projects/note.ts': 'which note',
  'src/commands/projects/project/decision.ts': 'why an administrator decides for the client',
  'src/commands/projects/project/invitePartners.ts': 'a message to partners',
  'src/commands/projects/project/partnerOffers.ts': 'why a price is lower than its offers',
  'src/commands/projects/project/partnerView.ts': 'what an invitation shows',
  'src/commands/projects/project/reason.ts': 'why it is done',
  'src/commands/rewards/reward.ts': 'which projects get a copy',
  'src/commands/views/arrange.ts': 'the order of a list',
  'src/commands/visitation/brandInfo.ts': 'what a figure is of',
  'src/panes/partner/Contact.tsx': 'a link to show',
  'src/panes/partner/RequestTerms.tsx': 'a partner’s request, whose page loads no table',
  'src/panes/place/AddLocationPane.tsx': 'which locations a group gets',
  'src/panes/project/approval/InvitationDialog.tsx': 'what an invitation shows',
  'src/panes/project/widgets.ts': 'figures of respondents',
  'src/panes/visitation/brand/VisitFilterBar.tsx': 'a period',
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
      .filter(
        (file) => /\.tsx?$/.test(file) && !/Fields\.ts$|contract\/(nouns|messages|fieldKinds)\.ts$|server\/demo\//.test(file),
      )
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
        // `const name = ask.text({ …, label: 'Name' })`, and the same within a command's questions.
        const asked = text.matchAll(/\b(\w+)(?: =|:) ask\.\w+\(\{[^}]*?\blabel: '([^'\n]+)'/g)
        const whole = [...text.matchAll(/'([^'\n]+)'|"([^"\n]+)"/g)].map(([, one, other]) => (one ?? other)!)
        const controls = [
          ...text.matchAll(/<(?:Field|TextInput|Select|DateInput|PickForm|AreaListbox)\b[^>]*? label="([^"\n]+)"/g),
        ]
        return [
          ...[...typed, ...asked].flatMap(([, name, label]) =>
            labels.get(name!)?.has(label!) ? [`${file} ${name} ${label}`] : [],
          ),
          ...whole.flatMap((one) => (texts.has(one) ? [`${file} ${one}`] : [])),
          ...controls.flatMap(([, label]) => (drawn.has(label!) ? [`${file} label ${label}`] : [])),
        ]
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
