/** The records of a mock that is written by hand. */
exports.toPlants = () =>
  Array.from({ length: 14 }, (_, index) => ({ id: index + 1, name: `Plant ${index + 1}` }))
