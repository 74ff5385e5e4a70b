import { useState } from 'react'
import { AGES, CHILDREN, ETHNICITIES, GENDERS, INCOMES, labelOf, MARITAL, PAGE, type Term } from '../../../contract/vocabulary.ts'
import { CommandButton } from '../../commands/CommandButton.tsx'
import { CommandMenu } from '../../commands/CommandMenu.tsx'
import type { Subject } from '../../commands/command.ts'
import { currentMe } from '../../data/session.ts'
import { href } from '../../routes.ts'
import { Pager } from '../../ui/Pager.tsx'
import { WebLink } from '../../ui/WebLink.tsx'
import { FigureDifference, WordDifference } from '../../workspace/compare/FigureDifference.tsx'
import { count, dollars, longDate, moment } from '../../workspace/format.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { type Fact, Facts, Fold } from './Fold.tsx'
import type { Project } from './ProjectHead.tsx'
import { StatusPill } from './StatusPill.tsx'
import { projectSubject, recordHref } from './subject.ts'

const named = (terms: readonly Term[], list: string): string =>
  list
    ? list
        .split(',')
        .map((value) => labelOf(terms, value))
        .join(', ')
    : 'Any'
const kilobytes = (bytes: number) =>
  bytes < 1024 ? `${bytes} B` : bytes < 1_048_576 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`

const counted = (number: number, noun: string) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`

/** Both days count. */
const daysOf = ({ start_dt, end_dt }: Pick<Project, 'start_dt' | 'end_dt'>): number | null =>
  start_dt && end_dt ? Math.round((Date.parse(end_dt.slice(0, 10)) - Date.parse(start_dt.slice(0, 10))) / 86_400_000) + 1 : null

/** A fact in words that is marked where it is not the first column's. */
const words = (topic: string, name: string, text: string): Fact => [
  name,
  text,
  { differs: <WordDifference topic={topic} text={text} /> },
]
const figure = (topic: string, value: number | null, unit?: 'days' | 'cents') => ({
  differs: <FigureDifference topic={topic} value={value} {...(unit ? { unit } : {})} />,
})
/** How many there are, at the right of a section's title. */
const Counted = ({ topic, value, noun }: { topic: string; value: number; noun: string }) => (
  <>
    {counted(value, noun)}
    <FigureDifference topic={topic} value={value} />
  </>
)

/** Specifications (projects-area 2): what was asked for, of whom, where, with which files and people. */
export function SpecificationsTab({ project }: { project: Project }) {
  const admin = currentMe().role === 'admin'
  const subject = projectSubject(project)
  const days = daysOf(project)
  const assets = project.files.filter((file) => file.kind !== 'location')
  return (
    <div className="@container px-4 pt-2 pb-6">
      <div className="flex flex-wrap items-center gap-1.5 pb-1">
        {admin && <CommandButton id="project.edit" subjects={[subject]} />}
        {admin && <CommandButton id="project.clone" subjects={[subject]} />}
      </div>
      <Fold title="Survey info" anchor="info">
        <Facts
          rows={[
            ['Goal', `${count(project.ordered)} completes`, figure('goal', project.ordered)],
            words('type', 'Type', project.campaign_type),
            ['Dates', `${longDate(project.start_dt)} to ${longDate(project.end_dt)}`, { wide: true }],
            ['Field time', days === null ? '' : counted(days, 'day'), figure('days', days, 'days')],
            ['Cost', project.cost_cents === null ? '' : dollars(project.cost_cents), figure('cost', project.cost_cents, 'cents')],
            [
              'Quote',
              project.quote_valid_until
                ? `round ${project.quote_round}, valid until ${longDate(project.quote_valid_until)}`
                : `round ${project.quote_round}`,
              { differs: <WordDifference topic="quote" text={`round ${project.quote_round}`} /> },
            ],
            words('provider', 'Reward provider', project.reward_provider),
            ...(admin
              ? [
                  words(
                    'partners',
                    'Partners',
                    project.partners
                      .map((partner) => partner.name)
                      .sort()
                      .join(', '),
                  ),
                ]
              : []),
            [
              'Survey URL',
              project.survey_url && <WebLink key="url" url={project.survey_url} className="inline-block min-h-6 break-all" />,
              { wide: true },
            ],
            ...project.surveys.map(
              (survey, at): Fact => [
                'Survey',
                <span key={survey.id}>
                  <bdi>{survey.name}</bdi> · {counted(survey.questions_count, 'question')}
                </span>,
                { wide: true, ...figure(`questions ${at}`, survey.questions_count) },
              ],
            ),
            ['Description', project.description, { wide: true }],
            [
              'Requirements',
              <span key="requirements" className="whitespace-pre-wrap">
                {project.requirements}
              </span>,
              { wide: true },
            ],
          ]}
        />
      </Fold>
      {project.activities.map((activity, at) => (
        <Fold
          key={activity.id}
          anchor={`audience ${at}`}
          title={project.activities.length > 1 ? `Audience · ${activity.name}` : 'Audience'}
          aside={activity.activity_type}
        >
          {activity.target ? (
            <Facts
              rows={[
                words(`age ${at}`, 'Age', named(AGES, activity.target.age)),
                words(`gender ${at}`, 'Gender', named(GENDERS, activity.target.gender)),
                words(`hhi ${at}`, 'Household income', named(INCOMES, activity.target.hhi)),
                words(`ethnicity ${at}`, 'Ethnicity', named(ETHNICITIES, activity.target.ethnicity)),
                words(`marital ${at}`, 'Marital status', named(MARITAL, activity.target.marital_status)),
                words(`children ${at}`, 'Children', named(CHILDREN, activity.target.children)),
              ]}
            />
          ) : (
            <p className="text-muted">No audience is set: anybody can take part.</p>
          )}
        </Fold>
      ))}
      <Fold
        title="Market"
        anchor="market"
        aside={
          marketsOf(project).length ? (
            <Counted topic="markets" value={marketsOf(project).length} noun="market" />
          ) : project.activities[0]?.target?.location_based === 'yes' ? (
            'location based'
          ) : (
            ''
          )
        }
      >
        <Markets project={project} />
      </Fold>
      <Fold title="Client info" anchor="client">
        <Facts
          rows={[
            [
              'Client',
              admin ? (
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
            ['Requested', moment(project.created_at)],
            ['Last change', moment(project.updated_at)],
          ]}
        />
      </Fold>
      <Fold
        title="Location groups and files"
        anchor="groups"
        aside={<Counted topic="groups" value={project.location_groups.length} noun="group" />}
      >
        {project.location_groups.length ? (
          <ul className="space-y-1">
            {project.location_groups.map((group) => (
              <li key={group.id} className="flex justify-between gap-4">
                <span className="truncate">{group.name}</span>
                <span className="text-muted tabular-nums">{counted(group.locations, 'location')}</span>
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-muted">No location group is linked.</p>
        )}
        <FileRows files={project.files.filter((file) => file.kind === 'location')} none="No location file." />
      </Fold>
      <Fold title="Teams" anchor="teams" aside={<Counted topic="teams" value={project.teams.length} noun="team" />}>
        {project.teams.length ? (
          project.teams.map((team) => (
            <div key={team.id} className="py-1">
              {admin ? (
                <PaneLink to={href('team', { id: team.id })} className="font-medium hover:underline">
                  {team.name}
                </PaneLink>
              ) : (
                <span className="font-medium">{team.name}</span>
              )}
              <p className="text-muted">
                {team.users.map((user) => `${user.first_name} ${user.last_name}`).join(', ') || 'nobody yet'}
              </p>
            </div>
          ))
        ) : (
          <p className="text-muted">
            No team: every user of <bdi>{project.client_name}</bdi> sees the project.
          </p>
        )}
        {admin && project.team && <CommandButton id="project.removeTeam" subjects={[subject]} className="mt-2" />}
      </Fold>
      <Fold
        title="Project assets"
        anchor="assets"
        aside={<Counted topic="assets" value={assets.length + (project.survey_url ? 1 : 0)} noun="asset" />}
      >
        <FileRows files={assets} url={project.survey_url} none="No asset has been uploaded." />
        {admin && <CommandButton id="project.addAsset" subjects={[subject]} className="mt-2" />}
      </Fold>
      {project.children.length > 0 && (
        <Fold
          title="Child projects"
          anchor="children"
          aside={<Counted topic="children" value={project.children.length} noun="project" />}
        >
          <ul className="space-y-1.5">
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
        </Fold>
      )}
    </div>
  )
}

const targetOf = (project: Project) => project.activities.find((activity) => activity.target)?.target
const marketsOf = (project: Project) => targetOf(project)?.target_markets ?? []

function Markets({ project }: { project: Project }) {
  const target = targetOf(project)
  const markets = marketsOf(project)
  if (!markets.length)
    return (
      <p className="text-muted">
        {target?.location_based === 'yes' ? 'Wherever the linked locations are.' : 'No market is chosen.'}
      </p>
    )
  return (
    <p className="[column-width:220px] columns-auto text-balance">
      {markets.map((market) => (
        <span key={market.id} className="block truncate" title={market.name}>
          {market.name}
        </span>
      ))}
    </p>
  )
}

/** Assets, five a page; the survey URL stands among them (projects-area 2). */
function FileRows({ files, url, none }: { files: Project['files']; url?: string; none: string }) {
  const [page, setPage] = useState(1)
  const admin = currentMe().role === 'admin'
  const all = [...(url ? [{ url }] : []), ...files]
  if (!all.length) return <p className="mt-1 text-muted">{none}</p>
  return (
    <>
      <ul className="mt-1 divide-y divide-line">
        {all.slice((page - 1) * PAGE.small, page * PAGE.small).map((file) =>
          'url' in file ? (
            <li key="url" className="flex h-(--row) items-center gap-3">
              <span className="shrink-0 text-muted">Survey URL</span>
              <WebLink url={file.url} className="min-w-0 truncate" />
            </li>
          ) : (
            <li key={file.id} className="flex h-(--row) items-center gap-3">
              <span className="min-w-0 truncate font-medium">{file.original_name}</span>
              <span className="truncate text-muted">{file.asset_type || file.kind}</span>
              <span className="ml-auto whitespace-nowrap text-meta text-muted tabular-nums">
                {kilobytes(file.size)} · {moment(file.created_at)}
              </span>
              <CommandButton id="file.download" only="icon" variant="ghost" subjects={[fileSubject(file)]} />
              {admin && <CommandMenu subjects={[fileSubject(file)]} />}
            </li>
          ),
        )}
      </ul>
      {all.length > PAGE.small && (
        <Pager page={page} size={PAGE.small} total={all.length} onPage={setPage} most={PAGE.links} noun="assets" />
      )}
    </>
  )
}

const fileSubject = (file: Project['files'][number]): Subject => ({
  kind: 'file',
  id: file.id,
  name: file.original_name,
  record: file,
})
