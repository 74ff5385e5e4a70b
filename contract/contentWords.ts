/* Terms of submitted content (screens-projects.md, User Content), as plain data for commands. */

/** Reasons to reject an item; "Other" needs a text. */
export const REJECT_REASONS = [
  { value: 'Blurred', label: 'Blurred' },
  { value: 'Off topic', label: 'Off topic' },
  { value: 'Duplicate', label: 'Duplicate' },
  { value: 'Person recognisable', label: 'Person recognisable' },
  { value: 'Other', label: 'Other' },
] as const

/** The sections of User Content that hold submitted items. */
export const SECTIONS = ['photos', 'videos', 'comments'] as const
export type Section = (typeof SECTIONS)[number]

/** The largest archive of a download, in bytes; larger downloads are split. */
export const ZIP_PART = 2 * 1024 ** 3

/** Names a participant by the first four of their sixteen hex digits. */
export const participant = (person: string): string => `Participant ${person.slice(0, 4).toUpperCase()}`

/** Adds a rotation in degrees; the result is 0, 90, 180 or 270. */
export const turned = (rotation: number, by = 90): number => (((rotation + by) % 360) + 360) % 360
