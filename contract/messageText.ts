/** The most characters of a message in a conversation. */
export const MESSAGE_MOST = 5000
/** The fault of a message without text. */
export const MESSAGE_BLANK = 'Please write your message'
