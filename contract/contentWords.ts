/* Words of what participants send in (screens-projects.md, User Content), as plain data for commands. */

/** Reasons to reject an item; "Other" asks for a text. */
export const REJECT_REASONS = [
  { value: 'Blurred', label: 'Blurred' },
  { value: 'Off topic', label: 'Off topic' },
  { value: 'Duplicate', label: 'Duplicate' },
  { value: 'Person recognisable', label: 'Person recognisable' },
  { value: 'Other', label: 'Other' },
] as const

/** The sections of User Content; what participants sent is in the first three. */
export const SECTIONS = ['photos', 'videos', 'comments'] as const
export type Section = (typeof SECTIONS)[number]

/** The largest part of a download, in bytes; more is split. */
export const ZIP_PART = 2 * 1024 ** 3

/** A participant's name on the screen: the first four of their sixteen digits. */
export const participant = (person: string): string => `Participant ${person.slice(0, 4).toUpperCase()}`

/** The right angle that a quarter turn to the right leads to. */
export const turned = (rotation: number, by = 90): number => (((rotation + by) % 360) + 360) % 360
