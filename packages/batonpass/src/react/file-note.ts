/** What is known of a draft's file on the disk, as text next to its path. */
export interface FileNote {
  text: string;
  /** Whether a person should check it before the file is named to a receiver. */
  isWarning: boolean;
}
