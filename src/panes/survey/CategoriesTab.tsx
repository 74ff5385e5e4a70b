import type { Subject } from '../../commands/subject.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CategoryPicker } from '../shared/CategoryPicker.tsx'

/** The industry categories of a survey's project; Space toggles one (screens-projects, Categories). */
export function CategoriesTab({ project }: { project: Subject }) {
  const answer = useCall('category.ofProject', { project: project.id })
  return (
    <CategoryPicker
      answer={answer}
      of={{ project_id: project.id }}
      kept={`kept with P-${project.id}`}
      empty={<CommandButton id="category.set" subjects={[project]} variant="primary" />}
    />
  )
}
