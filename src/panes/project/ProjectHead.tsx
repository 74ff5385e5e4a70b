import type { Output } from '../../../contract/calls.ts'
import { CommandButton } from '../../commands/CommandButton.tsx'
import { CommandMenu } from '../../commands/CommandMenu.tsx'
import type { CommandId } from '../../commands/table.ts'
import { currentMe } from '../../data/session.ts'
import { href } from '../../routes.ts'
import { cx } from '../../ui/cx.ts'
import { Pill } from '../../ui/Pill.tsx'
import { longDate, shortDate } from '../../workspace/format.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { ScreenTabs } from '../../workspace/ScreenTabs.tsx'
import { projectSubject, recordHref, toneOf } from './subject.ts'

export type Project = Output<'project.get'>['data']

/** What comes next for a project, most pressing first: the head shows the first three that are allowed. */
const NEXT: readonly CommandId[] = [
  'project.goLive',
  'project.approve',
  'project.resume',
  'project.assignPartner',
  'project.setCost',
  'project.pause',
  'project.reopen',
  'project.complete',
  'project.export',
]

/** A project's head: name, status, id, client, dates, what can be done next, and its tabs. */
export function ProjectHead({ project }: { project: Project | undefined }) {
  const admin = currentMe().role === 'admin'
  const { active } = usePane()
  const subject = project ? projectSubject(project) : null
  const next = project ? NEXT.filter((id) => project.allowed_actions.includes(id)).slice(0, 2) : []
  return (
    <header className={cx('sticky top-0 z-10 shrink-0', active ? 'bg-surface' : 'bg-ground')}>
      <div className="@container px-4 pt-3 pb-2">
        <div className="flex min-h-6 items-center gap-2.5">
          <h1 className="truncate text-title">{project?.name ?? ' '}</h1>
          {project && (
            <Pill tone={toneOf(project.stored_status)} className="shrink-0">
              {project.status_shown}
            </Pill>
          )}
        </div>
        <div className="mt-1 flex min-h-7 flex-wrap items-center gap-x-3.5 gap-y-1.5 text-meta text-muted">
          {project && (
            <>
              <span className="font-mono">P-{project.id}</span>
              {admin ? (
                <PaneLink to={href('client', { id: project.client_id })} className="truncate hover:text-ink hover:underline">
                  {project.client_name}
                </PaneLink>
              ) : (
                <span className="truncate">{project.client_name}</span>
              )}
              <span className="whitespace-nowrap" title={`${longDate(project.start_dt)} to ${longDate(project.end_dt)}`}>
                {shortDate(project.start_dt)} – {shortDate(project.end_dt)}
              </span>
              {project.parent && (
                <PaneLink
                  to={recordHref(project.generation, project.parent.id)}
                  className="truncate hover:text-ink hover:underline"
                >
                  part of {project.parent.name}
                </PaneLink>
              )}
              <span className="ml-auto flex items-center gap-1.5">
                {next.map((id, at) => (
                  <CommandButton key={id} id={id} subjects={[subject!]} variant={at === 0 ? 'primary' : 'default'} />
                ))}
                <CommandMenu subjects={[subject!]} />
              </span>
            </>
          )}
        </div>
      </div>
      <ScreenTabs label="Project" />
    </header>
  )
}
