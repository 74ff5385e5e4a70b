import { count } from '../../../contract/format.ts'
import type { Api } from '../../data/api.ts'
import { command } from '../command.ts'
import type { Subject } from '../subject.ts'

/** The fields of a channel's row that commands use. */
interface Facts {
  field: string
  active: number
  running_offers: number
  landing_ready: boolean
  in_field: boolean
  project_id: number
  lock_version: number
}
const factsOf = (subject: Subject | undefined) => (subject?.record ?? {}) as unknown as Facts
const isOn = (subject: Subject | undefined) => factsOf(subject).active === 1

/** Describes the effect of switching: "Fulcrum stops recruiting; 2 running offers stay listed." */
function effect(subject: Subject, on: boolean): string {
  const { field, running_offers: offers, landing_ready } = factsOf(subject)
  const who = field === 'active' ? 'The project' : subject.name
  const lacks = field === 'active' ? ' A channel’s landing page isn’t complete.' : ' Its landing page isn’t complete.'
  if (on) return `${who} starts recruiting.${landing_ready ? '' : lacks}`
  const stay = offers ? `; ${count(offers)} running ${offers === 1 ? 'offer stays' : 'offers stay'} listed` : ''
  return `${who} stops recruiting${stay}.`
}

const switched = (on: (subject: Subject | undefined) => boolean) =>
  ({
    on: 'audience',
    rule: null,
    undo: 'restores',
    // A project that isn't in field recruits nobody, so only a channel without its landing page needs confirmation.
    confirmIf: ([subject]: readonly Subject[]) =>
      factsOf(subject).in_field || (on(subject) && factsOf(subject).field !== 'active' && !factsOf(subject).landing_ready),
    confirm: ([subject]: readonly Subject[]) => ({
      title: `${on(subject) ? 'Enable' : 'Disable'} ${subject ? subject.name : 'this channel'}?`,
      body: subject ? effect(subject, on(subject)) : '',
      bad: on(subject) && !factsOf(subject).landing_ready,
      action: on(subject) ? 'Enable' : 'Disable',
    }),
    each: {
      done: 'audience.edit',
      answers: true,
      one: ({ api, subject, signal }: { api: Api; subject: Subject; signal: AbortSignal }) => {
        const { project_id, field, lock_version } = factsOf(subject)
        return api.write('audience.edit', { projectId: project_id, [field]: on(subject) ? 1 : 0, lock_version }, { signal })
      },
    },
  }) as const

/** Enables and disables a project's channels (screens-projects.md, Audience). */
export const audienceCommands = {
  'audience.enable': command({
    ...switched(() => true),
    title: 'Enable channel',
    keywords: 'recruit audience facebook fulcrum on',
    icon: 'play',
    disabledReason: (_workspace, [subject]) => (subject && isOn(subject) ? 'it is enabled already' : null),
  }),
  'audience.disable': command({
    ...switched(() => false),
    title: 'Disable channel',
    keywords: 'stop recruiting audience facebook fulcrum off',
    icon: 'pause',
    disabledReason: (_workspace, [subject]) => (subject && !isOn(subject) ? 'it is disabled already' : null),
  }),
  'audience.switch': command({
    ...switched((subject) => !isOn(subject)),
    title: 'Enable or disable channel',
    hidden: true,
    onRow: true,
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof audienceCommands> {}
}
