import { count } from '../../../contract/format.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { pendingProjects } from '../pendingProjects.ts'

/** The people who were rewarded, in all projects or one (screens-people-places-rewards.md, Reward receivers). */
export const receiverCommands = {
  'receivers.chooseProject': command({
    title: 'Choose a project…',
    detail: 'whose reward receivers are shown',
    on: 'nothing',
    group: 'navigation',
    keywords: 'reward receivers paid pending',
    icon: 'gift',
    undo: 'needless',
    asks: {
      project: ask.entity({
        kind: 'project',
        label: 'Project',
        among: async (api) => {
          const { data } = await api.read('reward.list', { column: 'pending_count', order: 'desc', per_page: 500 })
          const pending = pendingProjects(data)
          const known = new Set(pending.map(({ id }) => id))
          const others = data.filter(({ project_id }) => !known.has(project_id) && known.add(project_id))
          return [
            ...pending.map(({ id, name, client, pending }) => ({
              value: String(id),
              label: name,
              detail: `${client} · ${count(pending)} pending`,
            })),
            ...others.map(({ project_id, project_name, client_name }) => ({
              value: String(project_id),
              label: project_name,
              detail: client_name,
            })),
          ]
        },
      }),
    },
    run: ({ workspace, answers }) =>
      workspace.open(href('rewardReceiversPerProject', {}, { query: { project: answers.project } }), 'here'),
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof receiverCommands> {}
}
