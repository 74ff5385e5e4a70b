import { ACTIVITY_TYPES, labelOf } from '../../../contract/vocabulary.ts'
import { Pill, type Shape, type Tone } from '../../ui/Pill.tsx'

/** Tone and shape by activity type. */
const TYPE_LOOKS: Readonly<Record<string, readonly [tone: Tone, shape: Shape]>> = {
  survey: ['blue', 'dot'],
  social: ['green', 'diamond'],
  video: ['amber', 'triangle'],
  photo: ['grey', 'ring'],
}

/** An activity's type as a pill. */
export function TypePill({ type }: { type: string }) {
  const [tone, shape] = TYPE_LOOKS[type] ?? ['grey', 'ring']
  return (
    <Pill tone={tone} shape={shape} className="shrink-0">
      {labelOf(ACTIVITY_TYPES, type, type)}
    </Pill>
  )
}
