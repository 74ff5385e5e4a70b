import { type ReactNode, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Mark, type Shape } from '../../ui/Pill.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { TeamDetail, Why } from './teamSubject.ts'

const LOOK: Readonly<Record<Why, readonly [shape: Shape, tone: string, words: string]>> = {
  this: ['dot', 'text-accent', 'This team'],
  other: ['diamond', 'text-blue-ink', 'Another team'],
  requested: ['triangle', 'text-amber-ink', 'Requested it'],
  client: ['ring', 'text-muted', 'Client without team'],
  none: ['cross', 'text-faint', 'Doesn’t see it'],
}
const SHOWN: readonly Why[] = ['this', 'other', 'requested', 'client']

/** Shows which user of the client sees which project, and why: a shape in each cell, in words for screen readers. */
export function TeamGrid({ team }: { team: TeamDetail }) {
  const [all, setAll] = useState(false)
  const answer = useCall('team.grid', { id: team.id, all: all ? '1' : '' })
  const grid = answer.data?.data
  const nothing = team.users_count === 0 && team.projects_count === 0
  const more = grid && (grid.users_count > grid.users.length || grid.projects_count > grid.projects.length)
  return (
    <section aria-label="Who sees what" className="mt-6 px-4">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="text-meta font-medium text-muted">Who sees what</h2>
        {grid && !nothing && (
          <ul className="flex flex-wrap gap-x-4 text-meta text-muted" aria-label="Legend">
            {SHOWN.map((why) => (
              <li key={why} className="flex items-center gap-1.5">
                <span className={LOOK[why][1]}>
                  <Mark shape={LOOK[why][0]} />
                </span>
                {LOOK[why][2]}
              </li>
            ))}
          </ul>
        )}
      </div>
      <AnswerState answer={{ ...answer, data: undefined }} what="Who sees what" rows={4} />
      {nothing ? (
        <EmptyState className="items-start! px-0! py-3! text-left!">Add users and projects to see who sees what.</EmptyState>
      ) : (
        grid && (
          <>
            <Frame>
              <table className="border-separate border-spacing-0 text-meta">
                <thead>
                  <tr>
                    <td className="sticky top-0 left-0 z-20 bg-surface" />
                    {grid.projects.map((project) => (
                      <th
                        key={project.id}
                        scope="col"
                        className="sticky top-0 z-10 w-8 min-w-8 bg-surface p-0 align-bottom font-normal"
                      >
                        <span className="flex items-end justify-center pt-2 pb-1.5">
                          <PaneLink
                            to={href('teamUsers', { id: team.id, project_id: project.id })}
                            title={project.name}
                            className={cx(
                              'max-h-56 truncate rounded-sm [writing-mode:sideways-lr] hover:text-accent-ink hover:underline',
                              project.linked ? 'font-medium text-ink' : 'text-muted',
                            )}
                          >
                            <bdi>{project.name}</bdi>
                          </PaneLink>
                        </span>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {grid.users.map((user, row) => (
                    <tr key={user.id} className="group/user">
                      <th
                        scope="row"
                        className={cx(
                          'sticky left-0 z-10 h-7 max-w-48 truncate border-t border-line bg-surface pr-3 text-left group-hover/user:bg-hover',
                          user.on_team ? 'font-medium' : 'font-normal text-muted',
                        )}
                      >
                        <bdi>{user.name}</bdi>
                      </th>
                      {grid.projects.map((project, column) => {
                        const why = grid.cells[row]?.[column] ?? 'none'
                        const [shape, tone, words] = LOOK[why]
                        return (
                          <td
                            key={project.id}
                            title={`${user.name} · ${project.name}: ${words}`}
                            className="border-t border-line text-center group-hover/user:bg-hover"
                          >
                            <span className={cx('inline-flex', why === 'none' ? 'text-transparent' : tone)}>
                              <Mark shape={shape} className="size-2.5" />
                            </span>
                            <span className="sr-only">{words}</span>
                          </td>
                        )
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            </Frame>
            {(more || all) && (
              <p className="mt-1 flex flex-wrap items-center gap-x-3 text-meta text-muted">
                {count(grid.users.length)} of {count(grid.users_count)} users, {count(grid.projects.length)} of{' '}
                {count(grid.projects_count)} projects
                <Button variant="ghost" data-view="" onClick={() => setAll(!all)}>
                  {all ? 'Show fewer' : 'Show all'}
                </Button>
              </p>
            )}
          </>
        )
      )}
    </section>
  )
}

/** Scrolls in both directions, also by keyboard. */
const Frame = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
  <div role="group" aria-label="Users by projects" tabIndex={0} className="mt-2 max-h-[480px] overflow-auto border-y border-line">
    {children}
  </div>
)
