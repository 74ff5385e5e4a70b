import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { SPELLING, STATUSES } from '../../../contract/status.ts'
import type { PickOption } from '../shared/recordPicking.ts'
import { StatusPill } from '../shared/StatusPill.tsx'

type Choices = Output<'team.choices'>['data']

const onTeams = (teams: number): string => (teams ? `on ${count(teams)} ${teams === 1 ? 'team' : 'teams'}` : 'on no team')
const invited = (status: string): string => (status === 'invited' ? 'invited · ' : '')

/** Users to add to a team: the client's first, then those of other clients. */
export const userOptions = ({ users, client }: Choices): PickOption[] =>
  users.map((user) => ({
    id: user.id,
    name: user.name,
    detail: user.email,
    note: invited(user.status) + onTeams(user.teams_count),
    off: user.on_team ? 'already on it' : null,
    group: user.on_client ? `Users of ${client.name}` : 'Other client users',
  }))

/** Users to add to a client; its current users can't be selected. */
export const clientUserOptions = ({ users, client }: Choices): PickOption[] =>
  users.map((user) => ({
    id: user.id,
    name: user.name,
    detail: user.email,
    note: user.status === 'invited' ? 'invited' : null,
    off: user.on_client ? `on ${client.name}` : null,
  }))

/** The client's projects, each with its number of teams. */
export const projectOptions = ({ projects }: Choices): PickOption[] =>
  projects.map((project) => {
    const status = STATUSES.find((one) => one === project.stored_status)
    return {
      id: project.id,
      name: project.name,
      detail: project.parent_name ? `part of ${project.parent_name}` : '',
      code: codeOf('project', project.id),
      mark: (
        <StatusPill
          stored={project.stored_status}
          shown={status ? SPELLING[status].shown : project.stored_status}
          className="@max-md:hidden"
        />
      ),
      note: project.teams_count
        ? `${count(project.teams_count)} ${project.teams_count === 1 ? 'team' : 'teams'}`
        : project.parent_name
          ? 'inherits from its parent'
          : 'no team: open to all users',
      off: project.linked ? 'already linked' : null,
    }
  })
