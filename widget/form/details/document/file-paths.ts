/** §2.3: a picture or PDF of the person's document, its media type, or its address instead. */
export const FILE = 'person.documents.file_data';
export const FILE_TYPE = 'person.documents.file_type';
export const FILE_URL = 'person.documents.file_url';
