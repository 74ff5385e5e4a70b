import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { Pill } from '../../ui/Pill.tsx'
import { EmptyState } from '../../ui/States.tsx'

type Colleague = Output<'client.colleagues'>['data'][number]

/** Lists the people of a client user's clients: their teams, who approves quotes, and how much each sees. */
export default function ColleaguesPane() {
  const all = useMay('project.seeAll')
  const answer = useCall('client.colleagues', all ? null : {})
  const clients = Map.groupBy(answer.data?.data ?? [], ({ client_id }) => client_id)
  return (
    <div className="@container px-4 pt-3 pb-6">
      <h1 className="text-head">Colleagues</h1>
      {all ? (
        <EmptyState>Administrators find people under Users, and those of a client under the client.</EmptyState>
      ) : (
        <AnswerState
          answer={answer}
          what="Your colleagues"
          rows={4}
          empty={<EmptyState>You belong to no client yet. The administrators can add you to one.</EmptyState>}
        />
      )}
      {[...clients].map(([id, people]) => (
        <section key={id} aria-label={people[0]!.client_name} className="mt-4">
          <h2 className="font-medium">
            <bdi>{people[0]!.client_name}</bdi>
          </h2>
          <ul className="mt-1 max-w-3xl divide-y divide-line border-y border-line">
            {people.map((person) => (
              <Person key={person.id} person={person} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Person({ person }: { person: Colleague }) {
  const { name, email, teams, approves, projects_count, of_projects } = person
  const sees =
    projects_count >= of_projects
      ? 'Sees all your projects'
      : `Sees ${count(projects_count)} of your ${count(of_projects)} projects`
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 flex-1 basis-56">
        <bdi className="block truncate font-medium">{name}</bdi>
        <a href={`mailto:${email}`} className="block truncate text-meta text-muted hover:underline">
          {email}
        </a>
      </span>
      <span className="min-w-0 flex-1 basis-44 text-meta text-muted">
        {sees}
        {teams.length > 0 && (
          <>
            {' · '}
            <bdi>{teams.join(', ')}</bdi>
          </>
        )}
      </span>
      {approves ? (
        <Pill tone="green" shape="tick">
          Approves quotes
        </Pill>
      ) : (
        <Pill tone="grey">Sees quotes</Pill>
      )}
    </li>
  )
}
