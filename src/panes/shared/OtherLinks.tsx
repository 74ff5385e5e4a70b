import type { Output } from '../../../contract/calls.ts'
import { WebLink } from '../../ui/WebLink.tsx'

/** What a project's record has of links. */
export type LinkedProject = Pick<Output<'project.get'>['data'], 'survey_url' | 'activities' | 'surveys'>
interface Linked {
  key: string
  name: string
  link: string
}

/** The survey links of a project that were set apart from this one, by where they are. */
export function linksApart(
  project: LinkedProject,
  link: string,
  of: { activity?: number | null; survey?: number } = {},
): Linked[] {
  const isOther = (one: Linked) => link !== '' && one.link !== '' && one.link !== link
  const alone = of.activity === undefined
  return [
    { key: 'project', name: 'the project', link: project.survey_url },
    ...project.activities
      .filter(({ id, activity_type }) => activity_type === 'survey' && (alone || (of.survey !== undefined && id === of.activity)))
      .map(({ id, name, url }) => ({ key: `activity ${id}`, name: `activity “${name}”`, link: url })),
    ...project.surveys
      .filter(({ activity_id }) => alone || (of.survey === undefined && activity_id === of.activity))
      .map(({ id, name, survey_link }) => ({ key: `survey ${id}`, name: `survey “${name}”`, link: survey_link })),
  ].filter(isOther)
}

/** Says which places of a project have another survey link, which stays when this one changes. */
export function OtherLinks({ links }: { links: readonly Linked[] }) {
  return links.map(({ key, name, link }) => (
    <span key={key} className="block text-meta text-muted">
      Another link in <bdi>{name}</bdi>: <WebLink url={link} className="inline-block min-h-6 break-all" />
    </span>
  ))
}
