package schedule

// OverdueForTest is the query of [Schedule.Overdue].
const OverdueForTest = overdue
