import { expect, test } from 'vitest'
import { phoneDigits } from '../../contract/foldText.ts'
import { Phone } from '../../contract/user.ts'
import { showPhone } from '../../src/ui/PhoneInput.tsx'

test('a US number may have its country code, in forms and in calls', () => {
  expect(phoneDigits('+1 503 555 9807')).toBe('5035559807')
  expect(Phone.parse('+1 (503) 555-9807')).toBe('5035559807')
})

test('a number of another country is refused as it was typed, and never cut to ten digits', () => {
  const digits = phoneDigits('+49 170 1234567')
  expect(digits).toBe('491701234567')
  expect(showPhone(digits)).toBe(digits)
  expect(Phone.safeParse(digits).success).toBe(false)
})
