import { counted } from '../../../contract/format.ts'
import { FigureDifference, WordDifference } from '../../compare/FigureDifference.tsx'
import type { Fact } from './Disclosure.tsx'

/** A text fact, marked if it differs from the first column's. */
export const words = (topic: string, name: string, text: string): Fact => [
  name,
  text,
  { differs: <WordDifference topic={topic} text={text} /> },
]
/** A numeric fact with its difference from the first column's. */
export const figure = (topic: string, value: number | null, unit?: 'days' | 'cents') => ({
  differs: <FigureDifference topic={topic} value={value} unit={unit} />,
})
/** The count beside a section's title. */
export const Counted = ({ topic, value, noun }: { topic: string; value: number; noun: string }) => (
  <>
    {counted(value, noun)}
    <FigureDifference topic={topic} value={value} />
  </>
)
