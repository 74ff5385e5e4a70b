import { pick } from '../../../contract/fieldKinds.ts'
import { projectFields } from '../../../contract/projectFields.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf } from '../fieldAsks.ts'
import { recordOf } from '../subject.ts'
import { either, listed, lockOf } from '../words.ts'
import { PROJECTS } from './project/reason.ts'

/** What a requester may correct in a request that was sent. */
const CORRECTED = pick(projectFields, 'name', 'goal', 'start_dt', 'end_dt', 'loi_minutes', 'incidence', 'requirements')

/** How many of the newest requests are offered. */
const OFFERED = 100

/** Starts a request from an earlier one, and asks for a new quote. */
export const requestCommands = {
  'campaign.startFrom': command({
    title: 'New request from an earlier one…',
    detail: 'with its audience, markets and goal',
    on: 'nothing',
    group: 'add',
    keywords: 'copy again repeat template survey',
    icon: 'plus',
    undo: 'needless',
    asks: {
      from: ask.entity({
        kind: 'project',
        label: 'Earlier request',
        async among(api) {
          const { data } = await api.read('campaign.requestList', {
            step: 'all',
            column: 'requested',
            order: 'desc',
            per_page: OFFERED,
          })
          return data.campaigns.map(({ id, name, company_name }) => ({ value: String(id), label: name, detail: company_name }))
        },
      }),
    },
    run: ({ workspace, answers }) => workspace.open(href('clientRequest', {}, { query: { from: String(answers.from) } })),
  }),
  'request.correct': command({
    title: 'Correct request…',
    on: PROJECTS,
    keywords: 'edit change sent request goal dates name',
    icon: 'pencil',
    undo: 'restores',
    // A row of a list has less than the record.
    async prepare(api, subjects, signal) {
      const able = []
      for (const subject of subjects) {
        const { data } = await api.read('project.get', { id: subject.id }, signal)
        able.push({ ...subject, record: { ...subject.record, ...data } })
      }
      return { able, left: [] }
    },
    asks: asksOf(CORRECTED, 'edit'),
    confirm: (subjects) => ({
      title: `Correct ${listed(subjects)}?`,
      body: 'The administrators get an email. You can correct it until the first partner is asked.',
      action: 'Correct',
    }),
    async run({ api, subject, answers }) {
      const input = { id: subject.id, ...answered(CORRECTED, answers), ...lockOf(subject.record) }
      const { message } = await api.write('request.correct', input)
      return { message }
    },
  }),
  'request.setPo': command({
    title: 'Set PO number…',
    on: PROJECTS,
    keywords: 'purchase order invoice billing number reference',
    icon: 'pencil',
    undo: 'restores',
    asks: {
      po_number: ask.text({
        label: 'PO number',
        optional: true,
        placeholder: 'Blank removes it',
        prefill: ([subject]) => recordOf(subject, 'project', 'campaign').po_number,
      }),
    },
    async run({ api, subject, answers }) {
      const { message } = await api.write('request.setPo', { id: subject.id, po_number: answers.po_number ?? '' })
      return { message }
    },
  }),
  'project.askQuote': command({
    title: 'Ask for a new quote…',
    on: PROJECTS,
    many: true,
    keywords: 'expired renew again price',
    icon: 'mail',
    undo: 'restores',
    asks: {
      message: ask.text({ label: 'Message', lines: 3, placeholder: 'What we should know', optional: true }),
    },
    confirm: (subjects) => ({
      title: `Ask for ${either(subjects, 'a new quote', 'new quotes')} for ${listed(subjects)}?`,
      body: 'We get an email and quote your request again.',
      action: 'Ask',
    }),
    each: {
      done: 'project.askAgain',
      one: ({ api, subject, answers, signal }) =>
        api.write('project.askQuote', { id: subject.id, message: answers.message ?? '' }, { signal }),
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof requestCommands> {}
}
