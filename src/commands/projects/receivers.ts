import { href } from '../../routing/routes.ts'
import { command } from '../command.ts'

/** The people a project has rewarded (screens-people-places-rewards.md). */
export const projectReceiverCommands = {
  'project.showReceivers': command({
    title: 'Reward receivers',
    detail: 'who received its rewards',
    on: ['project', 'campaign'],
    rule: null,
    keywords: 'paid people emails rewarded',
    icon: 'gift',
    undo: 'needless',
    opens: ([project]) => (project ? href('rewardReceiversPerProject', {}, { query: { project: project.id } }) : null),
    run: ({ workspace, subject }) =>
      workspace.open(href('rewardReceiversPerProject', {}, { query: { project: subject.id } }), 'tab'),
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof projectReceiverCommands> {}
}
