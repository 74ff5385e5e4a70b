import type { QuestionDraft } from '../../../contract/questionFields.ts'
import type { FileStore } from '../../core/ports.ts'
import type { Readers } from '../../core/readers.ts'
import type { Db } from '../../db/connect.ts'

/** The parts of a survey that a vendor needs. */
export interface VendorSurvey {
  id: number
  vendor_survey_id: string
  source_file_id: number | null
}
/** A survey's questions from its vendor, in order. */
export interface QuestionSource {
  /** What they were read from, for display, such as a file name. */
  name: string
  questions: readonly (QuestionDraft & { vendor_key: string })[]
}

/**
 * A survey vendor, one file of vendors/ each. A vendor with an API reads its own surveys there.
 */
export interface SurveyVendor {
  /** The vendor's name in lower case, as in `survey_vendor`; empty for one that every survey may use. */
  name: string
  /** Reads the questions; null if the survey has no source here. Throws a 422 if it can't be read. */
  questions(from: { db: Db; files: FileStore; readers: Readers }, survey: VendorSurvey): Promise<QuestionSource | null>
}
