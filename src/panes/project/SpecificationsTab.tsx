import { useAtomValue } from 'jotai'
import { count, counted } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { moment } from '../../data/format.ts'
import { useMay } from '../../data/permissions.ts'
import { configAtom } from '../../data/session.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { projectSubject, recordHref } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'
import { Audience, Market } from './Audience.tsx'
import { Conversations } from './Conversations.tsx'
import { Counted } from './comparedFacts.tsx'
import { Disclosure, Facts } from './Disclosure.tsx'
import { FileRows } from './FileRows.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import type { Project } from './ProjectHead.tsx'
import { RequestProgress } from './RequestProgress.tsx'
import { SurveyInfo } from './SurveyInfo.tsx'
import { Teams } from './Teams.tsx'

/** Specifications (projects-area 2): the order, its audience and markets, files and people. */
export function SpecificationsTab({ project }: { project: Project }) {
  const seesClient = useMay('client.open')
  const { support_mail } = useAtomValue(configAtom)
  const all = useMay('project.seeAll')
  // Older survey projects have tabs of their own for both.
  const isClient = !all && project.generation === 'project'
  const subject = projectSubject(project)
  const assets = project.files.filter((file) => file.kind !== 'location')
  return (
    <div className="@container px-4 pt-2 pb-6">
      <div className="flex flex-wrap items-center gap-1.5 pb-1">
        <CommandButton id="project.edit" subjects={[subject]} />
        <CommandButton id="project.clone" subjects={[subject]} />
        {isClient && <CommandButton id="request.correct" subjects={[subject]} />}
        {isClient && <CommandButton id="request.setPo" subjects={[subject]} />}
      </div>
      {isClient && <RequestProgress id={project.id} stored={project.stored_status} />}
      <Conversations id={project.id} subject={subject} />
      <SurveyInfo project={project} />
      <Audience project={project} />
      <Market project={project} />
      <Disclosure title="Client info" anchor="client">
        <Facts
          rows={[
            [
              'Client',
              seesClient ? (
                <PaneLink
                  key="client"
                  to={href('client', { id: project.client_id })}
                  className="inline-block min-h-6 text-accent-ink underline"
                >
                  {project.client_name}
                </PaneLink>
              ) : (
                project.client_name
              ),
            ],
            ['Requested by', project.requested_by ? `${project.requested_by.first_name} ${project.requested_by.last_name}` : ''],
            ['PO number', project.po_number || 'Not set'],
            [
              'Who to ask',
              project.contact ? (
                <a
                  key="contact"
                  href={`mailto:${project.contact.email}?subject=${encodeURIComponent(codeOf('project', project.id))}`}
                  className="text-accent-ink underline"
                >
                  {project.contact.name}
                </a>
              ) : (
                support_mail
              ),
            ],
            ['Requested', moment(project.created_at)],
            ['Last change', moment(project.updated_at)],
          ]}
        />
      </Disclosure>
      <Disclosure
        title="Location groups and files"
        anchor="groups"
        aside={<Counted topic="groups" value={project.location_groups.length} noun="group" />}
      >
        {project.location_groups.length ? (
          <ul className="space-y-1">
            {project.location_groups.map((group) => (
              <li key={group.id} className="flex justify-between gap-4">
                {seesClient ? (
                  <PaneLink to={href('group', { id: group.id }, { tab: 'details' })} className="truncate hover:underline">
                    <bdi>{group.name}</bdi>
                  </PaneLink>
                ) : (
                  <span className="truncate">{group.name}</span>
                )}
                <span className="text-muted tabular-nums">{counted(group.locations, 'location')}</span>
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-muted">No location groups linked.</p>
        )}
        <FileRows files={project.files.filter((file) => file.kind === 'location')} none="No location file." />
        <CommandButton id="group.fromFile" className="mt-2" />
      </Disclosure>
      <Teams project={project} />
      <Disclosure
        title="Project assets"
        anchor="assets"
        aside={<Counted topic="assets" value={assets.length + (project.survey_url ? 1 : 0)} noun="asset" />}
      >
        <FileRows files={assets} url={project.survey_url} none="No assets uploaded yet." />
        <CommandButton id="project.addAsset" subjects={[subject]} className="mt-2" />
      </Disclosure>
      {project.children.length > 0 && (
        <Disclosure
          title="Child projects"
          anchor="children"
          aside={<Counted topic="children" value={project.children.length} noun="project" />}
        >
          <ul className="space-y-1.5">
            {project.own && (
              <li className="flex items-center gap-3 text-muted">
                Own part
                <span className="ml-auto tabular-nums">
                  {count(project.own.delivered)} of {count(project.own.ordered)}
                </span>
              </li>
            )}
            {project.children.map((child) => (
              <li key={child.id} className="flex items-center gap-3">
                <PaneLink to={recordHref(child.generation, child.id)} className="min-w-0 truncate hover:underline">
                  {child.name}
                </PaneLink>
                <StatusPill stored={child.stored_status} shown={child.status_shown} />
                <span className="ml-auto text-muted tabular-nums">
                  {count(child.delivered)} of {count(child.ordered)}
                </span>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      {isClient && (
        <Disclosure title="History" anchor="history">
          <HistoryTab project={project} />
        </Disclosure>
      )}
    </div>
  )
}
