import { useAtomValue } from 'jotai'
import type { Output } from '../../../contract/calls.ts'
import { longDate, shortDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { refusedFor } from '../../commands/availability.ts'
import { type CommandId, commandOf } from '../../commands/table.ts'
import { ComparedPill } from '../../compare/ComparedPill.tsx'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { ScreenTabs, type TabCounts } from '../../shell/ScreenTabs.tsx'
import { cx } from '../../ui/cx.ts'
import { usePart } from '../../workspace/compareRole.ts'
import { MainAction } from '../../workspace/MainAction.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { narrowAtom } from '../../workspace/workspaceState.ts'
import { projectSubject, recordHref } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'

export type Project = Output<'project.get'>['data']
/** What the header shows besides next steps and the parent. */
export type HeadFacts = Pick<
  Project,
  'id' | 'name' | 'stored_status' | 'status_shown' | 'client_id' | 'client_name' | 'start_dt' | 'end_dt'
>

/** Next steps by status, most pressing last, nearest the pointer; disallowed ones are left out. */
const NEXT: Readonly<Record<string, readonly CommandId[]>> = {
  requirements: ['project.setCost', 'project.invitePartners'],
  pricing: ['project.invitePartners', 'project.remind', 'project.takeOffers'],
  submit_approval: ['project.rejectQuote', 'project.sendQuote', 'project.approve'],
  approved: ['docsign.add', 'project.goLive'],
  active: ['project.export', 'project.pause'],
  paused: ['project.export', 'project.complete', 'project.resume'],
  completed: ['project.clone', 'project.export'],
  reporting: ['project.clone', 'project.export'],
  rejected: ['project.clone', 'project.reopen'],
}

/** Counts a project's activities, content items and notes for its tabs; only administrators see all three. */
function useTabCounts(project: Project | undefined): TabCounts | undefined {
  const notes = useMay('note.create')
  const content = project?.generation === 'campaign'
  const { data } = useCall('project.attributes', project && (notes || content) ? { id: project.id } : null)
  if (!data) return undefined
  const of = (...keys: readonly string[]) =>
    data.data.reduce((sum, { key, value }) => (keys.includes(key) && typeof value === 'number' ? sum + value : sum), 0)
  return { activities: of('activities'), userContent: of('photos', 'videos', 'comments'), notes: of('notes') }
}

/** A project's name, status, id, client, dates, next steps and tabs. `opened` is shown until the project loads. */
export function ProjectHead({ project, opened }: { project: Project | undefined; opened: HeadFacts | undefined }) {
  const seesClient = useMay('client.open')
  const { active } = usePane()
  // Compared headers keep one height so figures line up: next steps move to the menu and lines never wrap.
  const part = usePart()
  const line = part ? 'flex max-w-full min-w-0 items-center gap-x-3.5' : 'contents'
  const subject = project ? projectSubject(project) : null
  const counts = useTabCounts(project)
  const narrow = useAtomValue(narrowAtom)
  const facts = project ?? opened
  const next = project ? (NEXT[project.stored_status] ?? []).filter((id) => !refusedFor(id, commandOf(id), subject!)) : []
  return (
    <header data-sticks className={cx('sticky top-0 z-10 shrink-0 short:static', active ? 'bg-surface' : 'bg-ground')}>
      <div className="@container px-4 pt-3 pb-2 narrow:px-3 narrow:pt-2 narrow:pb-1">
        <div className="flex min-h-6 items-center gap-2.5">
          <h1 dir="auto" className="truncate text-head @max-md:text-wrap">
            {facts?.name ?? ' '}
          </h1>
          {facts && <StatusPill stored={facts.stored_status} shown={facts.status_shown} className="shrink-0" />}
          <ComparedPill className="shrink-0 @max-md:hidden" />
          {subject && narrow && (
            <span className="ml-auto">
              <CommandMenu subjects={[subject]} />
            </span>
          )}
        </div>
        <div className="mt-1 flex min-h-7 flex-wrap narrow:min-h-0 items-center gap-x-3.5 gap-y-1.5 text-meta text-muted">
          {facts && (
            <>
              <span className={line}>
                <span className="font-mono whitespace-nowrap">{codeOf('project', facts.id)}</span>
                {seesClient ? (
                  <PaneLink
                    to={href('client', { id: facts.client_id })}
                    className="min-w-16 truncate hover:text-ink hover:underline"
                  >
                    {facts.client_name}
                  </PaneLink>
                ) : (
                  <span className="truncate">{facts.client_name}</span>
                )}
                <ComparedPill short className="shrink-0 @md:hidden" />
              </span>
              <span className={cx(line, part && 'flex-1 @max-3xl:basis-full')}>
                <span className="whitespace-nowrap" title={`${longDate(facts.start_dt)} to ${longDate(facts.end_dt)}`}>
                  {shortDate(facts.start_dt)} – {shortDate(facts.end_dt)}
                </span>
                {project?.owner && (
                  <span className={cx('truncate', part ? '@max-3xl:hidden' : 'narrow:short:hidden')}>
                    Owner <bdi>{project.owner.name}</bdi>
                  </span>
                )}
                {project?.follows && <span className="whitespace-nowrap @max-md:hidden">Following</span>}
                {project?.parent && (
                  <PaneLink
                    to={recordHref(project.generation, project.parent.id)}
                    className="truncate hover:text-ink hover:underline"
                  >
                    part of <bdi>{project.parent.name}</bdi>
                  </PaneLink>
                )}
                <span className="ml-auto flex items-center gap-1.5 empty:hidden narrow:short:hidden">
                  {(part ? [] : next.slice(0, -1)).map((id, at) => (
                    <CommandButton
                      key={id}
                      id={id}
                      subjects={[subject!]}
                      className={at < next.length - 2 ? '@max-2xl:hidden' : '@max-md:hidden'}
                    />
                  ))}
                  {!part && next.length > 0 && (
                    <MainAction>
                      <CommandButton id={next.at(-1)!} subjects={[subject!]} variant="primary" />
                    </MainAction>
                  )}
                  {!narrow && subject && <CommandMenu subjects={[subject]} />}
                </span>
              </span>
            </>
          )}
        </div>
      </div>
      <ScreenTabs label="Project" counts={counts} />
    </header>
  )
}
