import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { either, listed } from '../words.ts'
import { PROJECTS } from './project/reason.ts'

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
      done: ['will be quoted again', 'will be quoted again'],
      one: ({ api, subject, answers, signal }) =>
        api.write('project.askQuote', { id: subject.id, message: answers.message ?? '' }, { signal }),
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof requestCommands> {}
}
