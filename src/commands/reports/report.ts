import { count } from '../../../contract/format.ts'
import { FILE_FORMATS } from '../../../contract/importWords.ts'
import { templateFields } from '../../../contract/savedFields.ts'
import { ANSWERS_IN } from '../../../contract/severalTexts.ts'
import { demographicFields } from '../../../contract/targetFields.ts'
import { AGES, DWELLS, ETHNICITIES, GENDERS, INCOMES, NOTICES } from '../../../contract/vocabulary.ts'
import { NOTHING_CHANGED, quotedName } from '../../../contract/writeEffects.ts'
import { ask, command, type RawAnswers } from '../command.ts'
import { asksOf } from '../fieldAsks.ts'
import { activeReport, type ReportController } from '../reportController.ts'
import { noticeOf } from '../words.ts'

const NOT_HERE = 'open a project’s client report first'
const here = (reason?: (report: ReportController) => string | null) => () => {
  const report = activeReport()
  return report ? (reason?.(report) ?? null) : NOT_HERE
}
const saved = here(({ unsaved }) => (unsaved ? 'save your changes first' : null))
const exportable = here(({ unsaved, hasSurvey, included }) => {
  if (!hasSurvey) return 'link a survey first'
  if (!included) return 'include a column first'
  return unsaved ? 'save your changes first' : null
})
const columns = (number: number) => `${count(number)} ${number === 1 ? 'column' : 'columns'}`
const CHANGES_ONLY = { on: 'report', rule: null, undo: 'needless' } as const
const optionsOf = (terms: readonly { value: string | number; label: string }[]) => [
  ...terms.map(({ value, label }) => ({ value: String(value), label })),
  { value: 'unknown', label: 'Unknown' },
]
/** A filter of User Responses; no choice means everyone. */
const only = (label: string, terms: Parameters<typeof optionsOf>[0]) =>
  ask.several({ label, options: optionsOf(terms), optional: true, usual: true })

/** A project's client report: its columns, templates and files (screens-projects.md, Client reporting). */
export const reportCommands = {
  'report.include': command({
    ...CHANGES_ONLY,
    title: 'Include or exclude',
    many: true,
    icon: 'check',
    keywords: 'tick column report file',
    disabledReason: here(),
    run: ({ subjects }) => activeReport()?.include(subjects.map(({ id }) => id)),
  }),
  'report.moveUp': command({
    ...CHANGES_ONLY,
    title: 'Move column up',
    icon: 'arrows',
    onRow: true,
    repeats: true,
    disabledReason: here(),
    run: ({ subject }) => activeReport()?.move(subject.id, -1),
  }),
  'report.moveDown': command({
    ...CHANGES_ONLY,
    title: 'Move column down',
    icon: 'arrows',
    onRow: true,
    repeats: true,
    disabledReason: here(),
    run: ({ subject }) => activeReport()?.move(subject.id, 1),
  }),
  'report.moveTo': command({
    ...CHANGES_ONLY,
    title: 'Move column to…',
    icon: 'arrows',
    keywords: 'order place position',
    disabledReason: here(),
    asks: {
      place: ask.number({
        label: 'Place',
        min: 1,
        check: (text: string) => {
          const most = activeReport()?.columns ?? 1
          return Number(text) > most ? `The report has ${columns(most)}` : null
        },
      }),
    },
    run: ({ subject, answers }) => activeReport()?.moveTo(subject.id, answers.place),
  }),
  'report.applyTemplate': command({
    title: 'Apply a template…',
    on: 'nothing',
    group: 'workspace',
    undo: 'restores',
    icon: 'copy',
    keywords: 'report columns set',
    disabledReason: here((report) =>
      report.unsaved ? 'save your changes first' : report.templates.length ? null : 'there are no templates yet',
    ),
    asks: { template: ask.option({ label: 'Template', options: () => activeReport()?.templates ?? [] }) },
    excludes: (_subject, { template }) => (activeReport()?.changes(template).length ? null : 'it changes nothing'),
    confirm(_subjects, { template }) {
      const report = activeReport()
      const name = report?.templates.find(({ value }) => value === template)?.label ?? 'this template'
      const changes = report?.changes(template).length ?? 0
      return {
        title: `Apply “${name}”?`,
        body: changes
          ? `${columns(changes)} of ${count(report?.columns ?? 0)} ${changes === 1 ? 'changes' : 'change'}.`
          : 'Nothing changes.',
        action: 'Apply',
      }
    },
    async run({ api, answers }) {
      const report = activeReport()
      const changes = report?.changes(answers.template) ?? []
      if (!report || !changes.length) return { message: NOTHING_CHANGED }
      const { message } = await api.write('report.save', { project_id: report.project.id, questions: changes })
      return { message }
    },
  }),
  'report.saveTemplate': command({
    title: 'Save as template…',
    on: 'nothing',
    group: 'workspace',
    undo: 'restores',
    icon: 'bookmark',
    keywords: 'report columns keep set',
    disabledReason: saved,
    asks: {
      ...asksOf(templateFields),
      who: ask.option({
        label: 'For',
        options: () => [
          { value: 'all', label: 'Every client' },
          { value: 'client', label: activeReport()?.project.client_name ?? 'This client' },
        ],
      }),
    },
    async run({ api, answers }) {
      const report = activeReport()
      if (!report) return { note: NOT_HERE }
      const client_id = answers.who === 'client' ? report.project.client_id : null
      await api.write('report.createTemplate', { project_id: report.project.id, name: answers.name, client_id })
      return {
        message: noticeOf('report.createTemplate', { words: [`template ${quotedName(answers.name.trim())}`, 'templates'] }),
      }
    },
  }),
  'report.removeTemplate': command({
    title: 'Delete a template…',
    on: 'nothing',
    group: 'workspace',
    undo: 'restores',
    danger: true,
    icon: 'trash',
    keywords: 'report columns',
    disabledReason: here(({ templates }) => (templates.length ? null : 'there are no templates yet')),
    asks: { template: ask.option({ label: 'Template', options: () => activeReport()?.templates ?? [] }) },
    confirm(_subjects, { template }) {
      const name = activeReport()?.templates.find(({ value }) => value === template)?.label ?? 'this template'
      return { title: `Delete “${name}”?`, body: 'Reports that used it keep their columns.', action: 'Delete' }
    },
    async run({ api, answers }) {
      const { message } = await api.write('report.removeTemplate', { id: Number(answers.template) })
      return { message }
    },
  }),
  'report.save': command({
    title: 'Save report',
    on: 'nothing',
    group: 'workspace',
    undo: 'needless',
    icon: 'check',
    keywords: 'columns client',
    disabledReason: here(({ unsaved }) => (unsaved ? null : 'everything is saved')),
    run: () => activeReport()?.save(),
  }),
  'report.discard': command({
    title: 'Discard report changes',
    on: 'nothing',
    group: 'workspace',
    undo: 'needless',
    icon: 'undo',
    danger: true,
    disabledReason: here(({ unsaved }) => (unsaved ? null : 'everything is saved')),
    confirm: () => {
      const unsaved = activeReport()?.unsaved ?? 0
      return {
        title: 'Discard your changes?',
        body: `${columns(unsaved)} ${unsaved === 1 ? 'goes' : 'go'} back to what was saved.`,
        action: 'Discard',
      }
    },
    run: () => activeReport()?.discard(),
  }),
  'report.refresh': command({
    title: 'Add new questions',
    on: 'nothing',
    group: 'workspace',
    undo: 'restores',
    icon: 'repeat',
    keywords: 'refresh report survey columns',
    disabledReason: here(({ missing, unsaved }) =>
      missing.length ? (unsaved ? 'save your changes first' : null) : 'the report has every question of the survey',
    ),
    async run({ api }) {
      const report = activeReport()
      if (!report?.missing.length) return { note: 'The report has every question of the survey' }
      const { message } = await api.write('report.save', {
        project_id: report.project.id,
        questions: report.missing.map((question_id) => ({ question_id })),
      })
      return { message }
    },
  }),
  'report.datamap': command({
    title: 'Export data map…',
    on: 'nothing',
    group: 'workspace',
    undo: 'needless',
    icon: 'download',
    keywords: 'report columns codebook dictionary',
    disabledReason: exportable,
    asks: { format: ask.option({ label: 'Format', options: FILE_FORMATS, prefill: () => 'csv' }) },
    async run({ api, workspace, answers }) {
      const report = activeReport()
      if (!report) return { note: NOT_HERE }
      const { job_id, message } = await api.write('report.datamap', {
        project_id: report.project.id,
        format: answers.format as 'csv',
      })
      workspace.follow(job_id, 'Data map ready')
      return { message }
    },
  }),
  'report.export': command({
    title: 'Export report…',
    on: 'nothing',
    group: 'workspace',
    undo: 'needless',
    icon: 'download',
    keywords: 'client data file csv excel respondents',
    disabledReason: exportable,
    asks: {
      format: ask.option({ label: 'Format', options: FILE_FORMATS, prefill: () => 'csv' }),
      answers: ask.option({ label: 'Several answers', options: ANSWERS_IN, prefill: () => 'cell', usual: true }),
      outcomes: ask.option({
        label: 'Respondents',
        options: [
          { value: 'completes', label: 'Completes' },
          { value: 'all', label: 'All outcomes' },
        ],
        prefill: () => 'completes',
      }),
      from: ask.date({ label: 'From', optional: true, usual: true }),
      to: ask.date({
        label: 'To',
        optional: true,
        usual: true,
        check: (text: string, answers: RawAnswers) =>
          text && answers.from && text < String(answers.from) ? 'To can’t be before From' : null,
      }),
      ageRange: only(demographicFields.age.label, AGES),
      gender: only(demographicFields.gender.label, GENDERS),
      hhi: only('Income', INCOMES),
      ethnicity: only(demographicFields.ethnicity.label, ETHNICITIES),
      dwellRange: only('Dwell', DWELLS),
      notice: only('Notice', NOTICES),
    },
    async run({ api, workspace, answers }) {
      const report = activeReport()
      if (!report) return { note: NOT_HERE }
      const { format, answers: several, outcomes, from, to, ageRange, gender, hhi, ethnicity, dwellRange, notice } = answers
      const who = Object.entries({ ageRange, gender, hhi, ethnicity, dwellRange, notice }).filter(([, chosen]) => chosen?.length)
      const { job_id, message } = await api.write('report.export', {
        project_id: report.project.id,
        format: format as 'csv',
        outcomes: outcomes as 'completes',
        answers: several as 'cell',
        ...(from ? { from } : {}),
        ...(to ? { to } : {}),
        ...Object.fromEntries(who),
      })
      workspace.follow(job_id, 'Report ready')
      return { message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof reportCommands> {}
}
