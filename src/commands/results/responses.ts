import { isolateBidi } from '../../../contract/bidi.ts'
import { demographicFields } from '../../../contract/targetFields.ts'
import { ask, command } from '../command.ts'
import { copiedRows } from '../copying.ts'
import { activeResponses, type PictureFormat, type ResponsesController, type Split } from '../responsesController.ts'

const NOT_HERE = 'open User Responses first'
const inTab = (reason?: (here: ResponsesController) => string | null) => () => {
  const here = activeResponses()
  return here ? (reason?.(here) ?? null) : NOT_HERE
}
const withChart = inTab((here) => (here.current() === null ? 'there is no chart here' : null))
const withQuestions = inTab((here) => (here.questions().length ? null : 'there are no questions here'))

/** Declares a command of the active tab that has no questions. */
const step = (
  title: string,
  work: (here: ResponsesController) => void,
  more: { hidden?: true; repeats?: true; keywords?: string; icon?: string; disabledReason?: () => string | null } = {},
) =>
  command({
    title,
    on: 'nothing',
    group: 'workspace',
    disabledReason: inTab(),
    ...more,
    run() {
      const here = activeResponses()
      if (here) work(here)
    },
  })
const SPLITS: readonly { value: Split; label: string }[] = [
  { value: 'gender', label: demographicFields.gender.label },
  { value: 'age', label: demographicFields.age.label },
  { value: 'none', label: 'Nothing' },
]

/** A respondent of one of a project's surveys. */
const ofRespondent = {
  on: 'project',
  rule: null,
  // Its counters may have counted others since: the other command is the way back, as the review says.
  undo: 'needless',
  asks: {
    survey: ask.entity({
      kind: 'survey',
      label: 'Survey',
      among: async (api, [project]) =>
        (await api.read('survey.ofProject', { id: project!.id })).data.map(({ id, name }) => ({
          value: String(id),
          label: name,
        })),
    }),
    respondent: ask.text({
      label: 'Respondent ID',
      placeholder: 'As it was sent',
      check: (text: string) => (text.trim() ? null : 'Enter the respondent’s ID'),
    }),
  },
} as const
const quoted = ({ respondent = '…' }: { respondent?: string }) => `“${isolateBidi(respondent.trim())}”`
const respondentOf = ({ survey, respondent }: { survey: number; respondent: string }) => ({
  surveyId: survey,
  respondentId: respondent.trim(),
})

/** Commands of User Responses; most only read (screens-projects.md, User Responses). */
export const responsesCommands = {
  'runtime.withdraw': command({
    ...ofRespondent,
    title: 'Withdraw a respondent…',
    danger: true,
    keywords: 'remove delete fraud duplicate complete take out',
    icon: 'x',
    confirm: (_, answers) => ({
      title: `Withdraw respondent ${quoted(answers)}?`,
      body: 'Every figure counts without it, its unpaid rewards are rejected, and it stays out when it is sent again. “Restore a withdrawn respondent” takes it back as it was, until 30 days after it arrived.',
      action: 'Withdraw',
    }),
    run: async ({ api, answers }) => ({ message: (await api.write('runtime.withdraw', respondentOf(answers))).message }),
  }),
  'runtime.putBack': command({
    ...ofRespondent,
    title: 'Restore a withdrawn respondent…',
    keywords: 'put complete undo withdraw',
    icon: 'undo',
    confirm: (_, answers) => ({
      title: `Restore respondent ${quoted(answers)}?`,
      body: 'It counts again as it was, with its rewards. More than 30 days after it arrived nothing of it is kept: then it counts once it is sent again.',
      action: 'Restore',
    }),
    run: async ({ api, answers }) => ({ message: (await api.write('runtime.putBack', respondentOf(answers))).message }),
  }),
  'responses.question': command({
    title: 'Go to question…',
    on: 'nothing',
    group: 'workspace',
    keywords: 'chart answers responses jump',
    icon: 'list',
    disabledReason: withQuestions,
    asks: { question: ask.option({ label: 'Question', options: () => activeResponses()?.questions() ?? [] }) },
    run: ({ answers }) => activeResponses()?.goTo(answers.question),
  }),
  'responses.split': command({
    title: 'Split bars by…',
    on: 'nothing',
    group: 'workspace',
    keywords: 'stack gender age responses chart',
    icon: 'layers',
    disabledReason: withQuestions,
    asks: {
      by: ask.option({
        label: 'Split by',
        options: () => SPLITS.map((one) => ({ ...one, ...(one.value === activeResponses()?.split ? { detail: 'now' } : {}) })),
      }),
    },
    run: ({ answers }) => activeResponses()?.setSplit(answers.by as Split),
  }),
  'responses.crosstab': command({
    title: 'Crosstab by…',
    on: 'nothing',
    group: 'workspace',
    keywords: 'cross tabulate break banner responses question demographic',
    icon: 'columns',
    disabledReason: withChart,
    asks: { by: ask.option({ label: 'Columns', options: () => activeResponses()?.crossable() ?? [] }) },
    run: ({ answers }) => activeResponses()?.crosstab(answers.by),
  }),
  'responses.unit': step('Share or count', (here) => here.toggle('unit'), {
    keywords: 'percent number scale responses',
    icon: 'percent',
    disabledReason: withQuestions,
  }),
  'responses.sort': step('As asked or largest first', (here) => here.toggle('sort'), {
    keywords: 'sort order answers responses',
    icon: 'sort',
    disabledReason: withQuestions,
  }),
  'responses.other': command({
    title: 'Include or leave out Other, from now on',
    on: 'nothing',
    group: 'workspace',
    rule: null,
    keywords: 'gender everyone all respondents base completes filter default remember',
    undo: 'needless',
    disabledReason: inTab(),
    run() {
      const all = activeResponses()?.switchOther()
      return {
        note: all
          ? 'Results include every gender, here and in every project.'
          : 'Results leave out Other, here and in every project.',
      }
    },
  }),
  'responses.profile': step('Show or hide profile questions', (here) => here.toggle('profile'), {
    keywords: 'reward questions responses also',
  }),
  'responses.survey': command({
    title: 'Choose a survey…',
    on: 'nothing',
    group: 'workspace',
    keywords: 'responses wave all',
    icon: 'list',
    disabledReason: inTab((here) => (here.surveys().length > 1 ? null : 'this project has one survey')),
    asks: { survey: ask.option({ label: 'Survey', options: () => activeResponses()?.surveys() ?? [] }) },
    run: ({ answers }) => activeResponses()?.showSurvey(answers.survey),
  }),
  'responses.find': step('Find a question or answer', (here) => here.find(), { keywords: 'search responses', icon: 'search' }),
  'responses.filter': step('Filter responses', (here) => here.filter(), { keywords: 'age gender income who', icon: 'filter' }),
  'responses.export': command({
    title: 'Export responses by question…',
    detail: 'with filters and bases',
    undo: 'needless',
    on: 'nothing',
    group: 'workspace',
    keywords: 'csv xlsx excel download charts figures',
    icon: 'download',
    disabledReason: withQuestions,
    asks: {
      format: ask.option({
        label: 'Format',
        options: [
          { value: 'xlsx', label: 'Excel (XLSX)' },
          { value: 'csv', label: 'CSV' },
        ],
      }),
    },
    async run({ answers, workspace }) {
      const started = await activeResponses()?.exportAs(answers.format === 'csv' ? 'csv' : 'xlsx')
      if (!started) return undefined
      workspace.follow(started.job, 'User responses ready')
      return { message: started.message }
    },
  }),
  'responses.picture': command({
    title: 'Save this chart as an image…',
    on: 'nothing',
    group: 'workspace',
    keywords: 'png svg image slide presentation download',
    icon: 'picture',
    disabledReason: withChart,
    asks: {
      format: ask.option({
        label: 'Format',
        options: [
          { value: 'png', label: 'PNG', detail: 'for slides' },
          { value: 'svg', label: 'SVG', detail: 'sharp at any size' },
        ],
      }),
    },
    async run({ answers }) {
      const name = await activeResponses()?.picture(answers.format as PictureFormat)
      return name ? { note: `Saved ${name}` } : undefined
    },
  }),
  'responses.copy': command({
    title: 'Copy this chart as a table',
    detail: 'for a sheet',
    on: 'nothing',
    group: 'workspace',
    keywords: 'clipboard spreadsheet excel figures crosstab',
    icon: 'copy',
    disabledReason: withChart,
    async run() {
      const copied = await activeResponses()?.copy()
      return copied && copiedRows(copied, 'This chart as a table')
    },
  }),
  'responses.next': step('Next question', (here) => here.move(1), { hidden: true, repeats: true }),
  'responses.previous': step('Previous question', (here) => here.move(-1), { hidden: true, repeats: true }),
  'responses.first': step('First question', (here) => here.end('first'), { hidden: true }),
  'responses.last': step('Last question', (here) => here.end('last'), { hidden: true }),
  'responses.nextAnswer': step('Next answer', (here) => here.moveAnswer(1), { hidden: true, repeats: true }),
  'responses.previousAnswer': step('Previous answer', (here) => here.moveAnswer(-1), { hidden: true, repeats: true }),
  'responses.open': step('Crosstab of this answer', (here) => here.open(), { hidden: true }),
  'responses.close': step('Close the crosstab', (here) => here.close(), { hidden: true }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof responsesCommands> {}
}
